/** Keeps the head and the tail of a text that comes in pieces, in constant memory. */
export interface OutputCollector {
  push(text: string): void;
  /** What is kept; a line in its middle says how much is not. */
  text(): string;
  readonly isTruncated: boolean;
}

/** Small pieces are joined up to this length, so that single characters do not make a list of millions. */
const PIECE_CHARACTERS = 16_384;

/** Up to `maxCharacters` are kept whole; of a longer text about the first and the last half of that. */
export function createOutputCollector(maxCharacters: number): OutputCollector {
  const half = Math.floor(maxCharacters / 2);
  let head = '';
  const tail: string[] = [];
  let tailLength = 0;
  let droppedLength = 0;

  const keepInTail = (text: string): void => {
    const last = tail.at(-1);
    if (last !== undefined && last.length + text.length <= PIECE_CHARACTERS) tail[tail.length - 1] = last + text;
    else tail.push(text);
    tailLength += text.length;
  };

  /** Whole pieces go: nothing is copied, however long the text becomes. */
  const dropFromTail = (): void => {
    for (let first = tail[0]; first !== undefined && tailLength - first.length >= half; first = tail[0]) {
      tail.shift();
      tailLength -= first.length;
      droppedLength += first.length;
    }
  };

  return {
    get isTruncated() {
      return droppedLength > 0;
    },
    push(text) {
      const end = tailLength === 0 && head.length < half ? endOfCharacter(text, half - head.length) : 0;
      if (end > 0) head += text.slice(0, end);
      if (end >= text.length) return;
      keepInTail(text.slice(end));
      dropFromTail();
    },
    text() {
      if (droppedLength === 0) return head + tail.join('');
      return `${head}\n... (${droppedLength} characters left out) ...\n${tail.join('')}`;
    },
  };
}

/** `at`, or one more where it would part a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at + 1 : at;
}
