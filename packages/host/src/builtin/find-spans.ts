const LF = 0x0a;
const CR = 0x0d;
const MAX_ANCHOR_BYTES = 32;
/** An anchor further into the needle would have the search walk that much before each place where it stands. */
const MAX_ANCHOR_OFFSET = 256;
/** A few milliseconds of work. */
const BYTES_PER_STEP = 256 * 1024;
const COUNTED_PER_STEP = 8 * BYTES_PER_STEP;
/** As many bytes are walked in the time of one native search. */
const BYTES_PER_JUMP = 32;

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
 * Every match of `needle`, in order; `undefined` every few milliseconds, when the caller may let others work. The native
 * search jumps to the next place where a part of the needle stands, and Knuth-Morris-Pratt goes on from there, because
 * it takes linear time for every input: the native search alone takes seconds for a repetitive needle in a repetitive
 * file. `needle` is not empty.
 */
export function* findSpans(file: Buffer, needle: Buffer, options: SearchOptions): Generator<Span | undefined, void> {
  const { foldsCr, overlapping } = options;
  const borders = bordersOf(needle);
  const anchor = anchorOf(needle, foldsCr);
  let matched = 0;
  let counted = 0;
  let line = 1;
  let anchorAt = -1;
  let pauseAt = BYTES_PER_STEP;
  for (let at = 0; at < file.length; at++) {
    if (matched === 0 && at > anchorAt) {
      anchorAt = file.indexOf(anchor.bytes, at + anchor.minOffset);
      if (anchorAt < 0) return;
      const jump = Math.max(0, anchorAt - anchor.maxOffset - at);
      pauseAt += Math.max(0, jump - BYTES_PER_JUMP);
      at += jump;
    }
    if (at >= pauseAt) {
      pauseAt = at + BYTES_PER_STEP;
      yield;
    }
    const byte = file[at];
    if (foldsCr && byte === CR && file[at + 1] === LF) continue;
    while (matched > 0 && needle[matched] !== byte) matched = borders[matched - 1] ?? 0;
    if (needle[matched] === byte) matched++;
    if (matched < needle.length) continue;
    const start = foldsCr ? startOfFolded(file, needle, at + 1) : at + 1 - needle.length;
    for (; start - counted > COUNTED_PER_STEP; counted += COUNTED_PER_STEP) {
      line += countLines(file, counted, counted + COUNTED_PER_STEP);
      yield;
    }
    line += countLines(file, counted, start);
    counted = start;
    yield { start, end: at + 1, line };
    matched = overlapping ? (borders[matched - 1] ?? 0) : 0;
  }
}

/** Bytes that every match holds: the native search jumps to them. */
interface Anchor {
  readonly bytes: Buffer;
  /** How far from the start of a match they stand: each line feed before them may be a CRLF. */
  readonly minOffset: number;
  readonly maxOffset: number;
}

/**
 * The longest piece of the needle without a line feed that may be a CRLF: a needle that begins with an empty line would
 * stop at each line of the file. So short that the native search takes linear time as well.
 */
function anchorOf(needle: Buffer, foldsCr: boolean): Anchor {
  if (!foldsCr) return { bytes: needle.subarray(0, MAX_ANCHOR_BYTES), minOffset: 0, maxOffset: 0 };
  // For a needle of line feeds alone.
  let best: Anchor = { bytes: needle.subarray(0, 1), minOffset: 0, maxOffset: 1 };
  let longest = 0;
  let lineFeeds = 0;
  for (let from = 0; from < Math.min(needle.length, MAX_ANCHOR_OFFSET); lineFeeds++) {
    const lineFeed = needle.indexOf(LF, from);
    const end = Math.min(lineFeed < 0 ? needle.length : lineFeed, from + MAX_ANCHOR_BYTES);
    if (end - from > longest) {
      longest = end - from;
      best = { bytes: needle.subarray(from, end), minOffset: from, maxOffset: from + lineFeeds };
    }
    if (lineFeed < 0) break;
    from = lineFeed + 1;
  }
  return best;
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
