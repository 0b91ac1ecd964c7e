const LF = 0x0a;
const _CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = '\ufeff';
const HEAD_BYTES = 200;
const KEPT_BUFFER_BYTES = 64 * 1024;

export const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;

export interface LineSplitterOptions {
  /** The longest line that is delivered, without its LF. Default 16 MiB. */
  maxLineBytes?: number;
  /** Gets each line that is not blank, without its line end. It must not throw. */
  onLine(text: string): void;
  /**
   * Called once for each line past the limit, as soon as it is past: `bytes` is what has come of it so far, `head`
   * its first 200 bytes. The line is dropped and the stream goes on behind its end.
   */
  onOverlongLine(bytes: number, head: string): void;
  /** Decodes UTF-8 without stripping a byte order mark. Default: a TextDecoder; Node's Buffer has a faster one. */
  decode?: (bytes: Uint8Array) => string;
}

/** Turns a byte stream into lines. `end` delivers a last line that has no LF. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Splits at the byte LF before anything is decoded, so that a character in two chunks stays whole. CR before LF, a
 * byte order mark before the first line and blank lines go. Time is linear in what comes, also for a long line in
 * many chunks, and memory is bounded by about twice `maxLineBytes`.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { maxLineBytes = DEFAULT_MAX_LINE_BYTES, onLine, onOverlongLine, decode = createDecoder() } = options;
  const partial = createPartialLine(maxLineBytes);
  let isFirstLine = true;
  let isDropping = false;

  const deliver = (line: string): void => {
    let text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (isFirstLine) {
      isFirstLine = false;
      if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    }
    if (!isBlank(text)) onLine(text);
  };

  const drop = (bytes: number, head: Uint8Array): void => {
    isFirstLine = false;
    onOverlongLine(bytes, decode(head.subarray(0, HEAD_BYTES)));
  };

  /** Whole lines that came in one chunk: decoded at once and cut as text, which no character can straddle. */
  const deliverLines = (lines: Uint8Array): void => {
    if (lines.length > maxLineBytes) {
      for (const line of cutAtLf(lines)) {
        if (line.length > maxLineBytes) drop(line.length, line);
        else deliver(decode(line));
      }
      return;
    }
    const text = decode(lines);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      deliver(text.slice(start, end));
      start = end + 1;
    }
    deliver(start === 0 ? text : text.slice(start));
  };

  const keep = (bytes: Uint8Array): void => {
    if (isDropping || bytes.length === 0) return;
    const total = partial.length + bytes.length;
    if (total <= maxLineBytes) {
      partial.append(bytes);
      return;
    }
    isDropping = true;
    drop(total, partial.headWith(bytes));
    partial.clear();
  };

  const finishPartial = (): void => {
    if (isDropping) isDropping = false;
    else if (partial.length > 0) deliver(partial.take(decode));
  };

  return {
    push(chunk) {
      const last = chunk.lastIndexOf(LF);
      if (last === -1) {
        keep(chunk);
        return;
      }
      let start = 0;
      if (isDropping || partial.length > 0) {
        const end = chunk.indexOf(LF);
        keep(chunk.subarray(0, end));
        finishPartial();
        start = end + 1;
      }
      if (start <= last) deliverLines(chunk.subarray(start, last));
      keep(chunk.subarray(last + 1));
    },
    end: finishPartial,
  };
}

interface PartialLine {
  readonly length: number;
  append(bytes: Uint8Array): void;
  headWith(next: Uint8Array): Uint8Array;
  take(decode: (bytes: Uint8Array) => string): string;
  clear(): void;
}

/** The start of a line whose end has not come: one growing buffer, so that a million tiny chunks cost no objects. */
function createPartialLine(maxBytes: number): PartialLine {
  let buffer = new Uint8Array(0);
  let length = 0;
  const clear = (): void => {
    length = 0;
    if (buffer.length > KEPT_BUFFER_BYTES) buffer = new Uint8Array(0);
  };
  return {
    get length() {
      return length;
    },
    append(bytes) {
      const needed = length + bytes.length;
      if (needed > buffer.length) {
        const grown = new Uint8Array(Math.min(Math.max(needed, buffer.length * 2, 1024), Math.max(maxBytes, needed)));
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(bytes, length);
      length = needed;
    },
    headWith(next) {
      const head = new Uint8Array(Math.min(HEAD_BYTES, length + next.length));
      head.set(buffer.subarray(0, Math.min(length, HEAD_BYTES)));
      if (length < head.length) head.set(next.subarray(0, head.length - length), length);
      return head;
    },
    take(decode) {
      const text = decode(buffer.subarray(0, length));
      clear();
      return text;
    },
    clear,
  };
}

function* cutAtLf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
    yield bytes.subarray(start, end);
    start = end + 1;
  }
  yield bytes.subarray(start);
}

/** Most lines start with a brace; only one that starts with white space can be blank. */
function isBlank(text: string): boolean {
  return text.length === 0 || (text.charCodeAt(0) <= 0x20 && text.trim() === '');
}

declare const TextDecoder: new (
  label: string,
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

function createDecoder(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return (bytes) => decoder.decode(bytes);
}
