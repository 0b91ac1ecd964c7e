import { visibleText } from './terminal-text.ts';

/** Lines that a person decides on, and whether they are all there is. */
export interface ShownText {
  readonly lines: readonly string[];
  readonly isCut: boolean;
}

export interface ShownSize {
  /** Lines from the start and from the end. */
  readonly head: number;
  readonly tail: number;
}

/** A longer line is cut in the middle. */
export const MAX_LINE_CHARACTERS = 600;
const LINE_TAIL = 150;

/**
 * Text in lines with nothing hidden: what is not text is shown as its code, a TAB as an arrow. With a size it is cut in the
 * middle, since what matters may stand at the end, and says so.
 */
export function shownText(text: string, size?: ShownSize): ShownText {
  const all = text.split('\n');
  if (!size) return { lines: all.map(shownLine), isCut: false };
  let isCut = all.length > size.head + size.tail + 1;
  const short = (line: string) => {
    if (line.length <= MAX_LINE_CHARACTERS) return shownLine(line);
    isCut = true;
    return shortened(line);
  };
  if (!isCut) {
    const lines = all.map(short);
    return { lines, isCut };
  }
  const left = all.length - size.head - size.tail;
  const tail = size.tail === 0 ? [] : all.slice(-size.tail);
  return { lines: [...all.slice(0, size.head).map(short), `… ${left} more lines …`, ...tail.map(short)], isCut };
}

function shownLine(line: string): string {
  return line.split('\t').map(visibleText).join('→   ');
}

function shortened(line: string): string {
  const head = line.slice(0, MAX_LINE_CHARACTERS - LINE_TAIL).toWellFormed();
  const tail = line.slice(-LINE_TAIL).toWellFormed();
  return `${shownLine(head)} … ${line.length - MAX_LINE_CHARACTERS} more characters … ${shownLine(tail)}`;
}
