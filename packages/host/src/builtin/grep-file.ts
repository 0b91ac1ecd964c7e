import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { cutText } from './cut-text.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;
const PROBED_BYTES = 8000;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_CHARACTERS = 400;
const LF = 0x0a;

export interface GrepFileOptions {
  pattern: RegExp;
  /** Lines shown before and after each match. */
  context: number;
  maxMatches: number;
  shown: string;
}

export type GrepFileResult =
  | { kind: 'searched'; lines: string[]; matches: number; hasMore: boolean }
  | { kind: 'binary' }
  | { kind: 'unreadable' };

/** Searches a regular file line by line, in memory bounded by its longest line. */
export function grepFile(path: string, options: GrepFileOptions): GrepFileResult {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
    if (!isFileAt(fd, path)) return { kind: 'unreadable' };
    return searchLines(fd, options);
  } catch {
    return { kind: 'unreadable' };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The walk saw a regular file without links on its way; a swap since then shows in the descriptor's own path. */
function isFileAt(fd: number, path: string): boolean {
  if (!fstatSync(fd).isFile()) return false;
  return process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${fd}`) === path;
}

function searchLines(fd: number, options: GrepFileOptions): GrepFileResult {
  const report = createReport(options);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  for (let isFirst = true; ; isFirst = false) {
    const bytesRead = readSync(fd, chunk, 0, CHUNK_BYTES, null);
    const bytes = chunk.subarray(0, bytesRead);
    if (isFirst && bytes.subarray(0, PROBED_BYTES).includes(0)) return { kind: 'binary' };
    const all = Buffer.concat([rest, bytes]);
    const isLast = bytesRead === 0;
    const end = isLast || all.length > MAX_LINE_BYTES ? all.length : all.lastIndexOf(LF) + 1;
    if (end > 0 && !report.lines(all.toString('utf8', 0, end))) break;
    if (isLast) break;
    rest = all.subarray(end);
  }
  return report.result();
}

/** Collects matches as `path:line:text`, context as `path-line-text`, with `--` between stretches. */
function createReport({ pattern, context, maxMatches, shown }: GrepFileOptions) {
  const lines: string[] = [];
  const before: string[] = [];
  let number = 0;
  let matches = 0;
  let hasMore = false;
  let lastShown = 0;
  let after = 0;

  const show = (line: number, sign: string, text: string): void => {
    if (context > 0 && lastShown > 0 && line > lastShown + 1) lines.push('--');
    lines.push(`${shown}${sign}${line}${sign}${text}`);
    lastShown = line;
  };

  const showMatch = (line: string, index: number): void => {
    before.forEach((text, place) => {
      const earlier = number - before.length + place;
      if (earlier > lastShown) show(earlier, '-', cutText(text, MAX_SHOWN_CHARACTERS));
    });
    show(number, ':', aroundMatch(line, index));
    after = context;
  };

  /** False when nothing more has to be read. */
  const take = (line: string): boolean => {
    number++;
    const match = matches <= maxMatches ? pattern.exec(line) : null;
    if (match && matches === maxMatches) hasMore = true;
    if (hasMore) return false;
    if (match) {
      matches++;
      showMatch(line, match.index);
    } else if (after > 0) {
      after--;
      show(number, '-', cutText(line, MAX_SHOWN_CHARACTERS));
    }
    if (context > 0 && before.push(line) > context) before.shift();
    return true;
  };

  return {
    lines(text: string): boolean {
      const all = (number === 0 ? text.replace(/^\ufeff/, '') : text).split('\n');
      if (all.at(-1) === '') all.pop();
      return all.every((line) => take(line.endsWith('\r') ? line.slice(0, -1) : line));
    },
    result: (): GrepFileResult => ({ kind: 'searched', lines, matches, hasMore }),
  };
}

/** A long line is shown from shortly before the match. */
function aroundMatch(line: string, index: number): string {
  if (line.length <= MAX_SHOWN_CHARACTERS) return line;
  const start = index < MAX_SHOWN_CHARACTERS / 2 ? 0 : index - MAX_SHOWN_CHARACTERS / 4;
  return `${start > 0 ? '...' : ''}${cutText(line.slice(start).toWellFormed(), MAX_SHOWN_CHARACTERS)}`;
}
