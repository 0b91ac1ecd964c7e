const LF = 0x0a;
const CR = 0x0d;
const MAX_START_BYTES = 32;

/** A stretch of bytes, `end` exclusive, and the 1-based line on which it starts. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export interface SearchOptions {
  /** LF in the needle also stands for CRLF in the file. */
  foldsCr: boolean;
  /** Also counts a match that begins inside another one: a needle that overlaps itself is not unique either. */
  overlapping: boolean;
}

/**
 * Every match of `needle`, in order. Knuth-Morris-Pratt, because it takes linear time for every input: the native
 * search takes seconds for a repetitive needle in a repetitive file. `needle` is not empty.
 */
export function* findSpans(file: Buffer, needle: Buffer, { foldsCr, overlapping }: SearchOptions): Generator<Span> {
  const borders = bordersOf(needle);
  const start = startOfNeedle(needle, foldsCr);
  let matched = 0;
  let counted = 0;
  let line = 1;
  for (let at = 0; at < file.length; at++) {
    if (matched === 0) {
      at = file.indexOf(start, at);
      if (at < 0) return;
    }
    const byte = file[at];
    if (foldsCr && byte === CR && file[at + 1] === LF) continue;
    while (matched > 0 && needle[matched] !== byte) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === byte) matched++;
    if (matched < needle.length) continue;
    const begin = foldsCr ? startOfFolded(file, needle, at + 1) : at + 1 - needle.length;
    line += countLines(file, counted, begin);
    counted = begin;
    yield { start: begin, end: at + 1, line };
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
  }
}

/**
 * The bytes that every match begins with: the native search jumps to them. So short that it takes linear time as well;
 * without a line feed that may be a CRLF.
 */
function startOfNeedle(needle: Buffer, foldsCr: boolean): Buffer {
  const lineFeed = foldsCr ? needle.indexOf(LF) : -1;
  const end = lineFeed < 0 ? needle.length : Math.max(lineFeed, 1);
  return needle.subarray(0, Math.min(end, MAX_START_BYTES));
}

/** The number of line feeds in a stretch of a file. */
export function countLines(file: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (file[at] === LF) count++;
  return count;
}

/** For each prefix of the needle, the length of its longest proper border. */
function bordersOf(needle: Buffer): Uint32Array {
  const borders = new Uint32Array(needle.length);
  let length = 0;
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] ?? 0;
    if (needle[at] === needle[length]) length++;
    borders[at] = length;
  }
  return borders;
}

/** Walks a folded match back to its first byte; a CR before one of its line feeds belongs to the match. */
function startOfFolded(file: Buffer, needle: Buffer, end: number): number {
  let start = end;
  for (let at = needle.length - 1; at >= 0; at--) {
    start--;
    if (needle[at] === LF && file[start - 1] === CR) start--;
  }
  return start;
}
