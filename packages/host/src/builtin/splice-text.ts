import type { Span } from './find-spans.ts';

const LF = 0x0a;
const CR = 0x0d;
const LF_BYTES = Buffer.from('\n');
const CRLF_BYTES = Buffer.from('\r\n');

/**
 * The file with each span replaced by `replacement`; every byte outside the spans stays. When `foldsCr`, a LF of the
 * replacement is written as the line end that it stands for: the span's own ones in order (the last of them for all
 * further ones), else that of the line around it.
 */
export function spliceText(file: Buffer, spans: readonly Span[], replacement: string, foldsCr: boolean): Buffer {
  const lines = foldsCr && replacement.includes('\n') ? linesOf(replacement) : undefined;
  const splice: Splice = { file, spans, lines, whole: Buffer.from(replacement) };
  let length = 0;
  for (const piece of piecesOf(splice)) length += piece.length;
  const spliced = Buffer.allocUnsafe(length);
  let at = 0;
  for (const piece of piecesOf(splice)) at += piece.copy(spliced, at);
  return spliced;
}

interface Splice {
  file: Buffer;
  spans: readonly Span[];
  /** The replacement at its line ends, where they are written as the file's. */
  lines: readonly Buffer[] | undefined;
  whole: Buffer;
}

/** Made anew for each pass: with a million spans, a list of all pieces would take hundreds of megabytes. */
function* piecesOf({ file, spans, lines, whole }: Splice): Generator<Buffer> {
  let copied = 0;
  for (const span of spans) {
    yield file.subarray(copied, span.start);
    if (lines === undefined) yield whole;
    else yield* withLineEnds(lines, lineEndsFor(file, span));
    copied = span.end;
  }
  yield file.subarray(copied);
}

/** The replacement at its bare LFs; a CRLF that it spells out stays inside its line as it is. */
function linesOf(replacement: string): Buffer[] {
  return replacement.split(/(?<!\r)\n/).map((line) => Buffer.from(line));
}

function* withLineEnds(lines: readonly Buffer[], ends: readonly Buffer[]): Generator<Buffer> {
  for (const [index, line] of lines.entries()) {
    if (index > 0) yield ends[Math.min(index, ends.length) - 1] ?? LF_BYTES;
    yield line;
  }
}

function lineEndsFor(file: Buffer, span: Span): Buffer[] {
  const ends: Buffer[] = [];
  for (let at = file.indexOf(LF, span.start); at >= 0 && at < span.end; at = file.indexOf(LF, at + 1)) {
    ends.push(endAt(file, at));
  }
  if (ends.length > 0) return ends;
  const next = file.indexOf(LF, span.end);
  const near = next >= 0 ? next : span.start > 0 ? file.lastIndexOf(LF, span.start - 1) : -1;
  return [near < 0 ? LF_BYTES : endAt(file, near)];
}

function endAt(file: Buffer, lineFeed: number): Buffer {
  return file[lineFeed - 1] === CR ? CRLF_BYTES : LF_BYTES;
}
