import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { cutText } from './cut-text.ts';
import { countLines } from './find-spans.ts';

const LF = 0x0a;
const CONTEXT_LINES = 3;
const MAX_DIFF_LINES = 200;
const MAX_LISTED_LINES = 200;
const MAX_LINE_CHARACTERS = 2000;
/** A larger stretch is shown as removed and added whole: the search for a smallest diff would take seconds. */
const MAX_COMPARED_BYTES = 1_000_000;
const MAX_COMPARE_MS = 250;

/** The stretch of a file that a change replaced, in bytes of the file before and after it. */
export interface Region {
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
  /** The 1-based line in which it starts, where that is known. */
  readonly line?: number;
}

/** What clients draw a change from (seed A: Metadata["diff"]; seed B: start_line, old_lines, new_lines). */
export interface ChangeDescription {
  diff: string;
  /** 1-based. */
  start_line: number;
  old_lines: string[];
  new_lines: string[];
}

/** The smallest region of whole bytes in which two contents differ. */
export function regionOfChange(before: Uint8Array, after: Uint8Array): Region {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, endBefore: before.length - same, endAfter: after.length - same };
}

/** Describes a change by the whole lines it touches. `path` is only a label. */
export function describeChange(path: string, before: Buffer, after: Buffer, region: Region): ChangeDescription {
  const start = startOfLine(before, region.start);
  const lines = touchedLines(before, after, region, start);
  const startLine = region.line ?? countLines(before, 0, start) + 1;
  return {
    diff: diffAround(path, before, after, { start, ...lines, startLine }),
    start_line: startLine,
    old_lines: listLines(before.subarray(start, lines.endBefore)),
    new_lines: listLines(after.subarray(start, lines.endAfter)),
  };
}

/** Up to the end of the line in which the region ends, or to the region's own end where both sides end a line there. */
function touchedLines(before: Buffer, after: Buffer, region: Region, start: number) {
  const { endBefore, endAfter } = region;
  if (endsLine(before, start, endBefore) && endsLine(after, start, endAfter)) return { endBefore, endAfter };
  const rest = endOfLine(before, endBefore) - endBefore;
  return { endBefore: endBefore + rest, endAfter: endAfter + rest };
}

/** Only the changed lines and their context are compared: the rest of a large file is known to be equal. */
function diffAround(path: string, before: Buffer, after: Buffer, lines: Region & { startLine: number }): string {
  const start = contextStart(before, lines.start);
  const rest = contextEnd(before, lines.endBefore) - lines.endBefore;
  const old = before.subarray(start, lines.endBefore + rest);
  const now = after.subarray(start, lines.endAfter + rest);
  const patch = comparePieces(path, old, now);
  const linesBefore = lines.startLine - 1 - countLines(before, start, lines.start);
  for (const hunk of patch.hunks) {
    hunk.oldStart += linesBefore;
    hunk.newStart += linesBefore;
  }
  return capLines(formatPatch(patch, FILE_HEADERS_ONLY).replace(/\n$/, ''));
}

function comparePieces(path: string, old: Buffer, now: Buffer): StructuredPatch {
  // `diff` quotes a name that would forge lines of the diff.
  const label = path.replace(/^\/+/, '');
  const names = [`a/${label}`, `b/${label}`] as const;
  const isSmall = old.length + now.length <= MAX_COMPARED_BYTES;
  const options = { context: CONTEXT_LINES, timeout: MAX_COMPARE_MS };
  const patch = isSmall
    ? structuredPatch(...names, old.toString(), now.toString(), undefined, undefined, options)
    : undefined;
  return patch ?? replaceWhole(names, old, now);
}

function replaceWhole(
  [oldFileName, newFileName]: readonly [string, string],
  old: Buffer,
  now: Buffer,
): StructuredPatch {
  const oldLines = patchLines(old, '-');
  const newLines = patchLines(now, '+');
  const counts = { oldStart: 1, oldLines: oldLines.count, newStart: 1, newLines: newLines.count };
  const hunk = { ...counts, lines: [...oldLines.lines, ...newLines.lines] };
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function patchLines(content: Buffer, sign: string): { count: number; lines: string[] } {
  if (content.length === 0) return { count: 0, lines: [] };
  const texts = content.toString().split('\n');
  const isEnded = texts.at(-1) === '';
  if (isEnded) texts.pop();
  const lines = texts.map((text) => sign + text);
  return { count: lines.length, lines: isEnded ? lines : [...lines, '\\ No newline at end of file'] };
}

function capLines(diff: string): string {
  const lines = diff.split('\n');
  const kept = lines.slice(0, MAX_DIFF_LINES).map((line) => cutText(line, MAX_LINE_CHARACTERS));
  const cut = lines.length - kept.length;
  return cut === 0 ? kept.join('\n') : `${kept.join('\n')}\n... (${cut} more ${cut === 1 ? 'line' : 'lines'})`;
}

function listLines(content: Buffer): string[] {
  if (content.length === 0) return [];
  const lines = content.toString().split(/\r?\n/, MAX_LISTED_LINES + 1);
  if (lines.length <= MAX_LISTED_LINES && content.at(-1) === LF) lines.pop();
  return lines.slice(0, MAX_LISTED_LINES).map((line) => cutText(line, MAX_LINE_CHARACTERS));
}

function endsLine(content: Buffer, lineStart: number, end: number): boolean {
  return end === lineStart || content[end - 1] === LF;
}

function startOfLine(content: Buffer, at: number): number {
  return at === 0 ? 0 : content.lastIndexOf(LF, at - 1) + 1;
}

/** The end of the line that `at` is in, its line feed included. */
function endOfLine(content: Buffer, at: number): number {
  const lineFeed = content.indexOf(LF, at);
  return lineFeed < 0 ? content.length : lineFeed + 1;
}

function contextStart(content: Buffer, lineStart: number): number {
  let start = lineStart;
  for (let line = 0; line < CONTEXT_LINES && start > 0; line++) start = startOfLine(content, start - 1);
  return start;
}

function contextEnd(content: Buffer, lineEnd: number): number {
  let end = lineEnd;
  for (let line = 0; line < CONTEXT_LINES && end < content.length; line++) end = endOfLine(content, end);
  return end;
}
