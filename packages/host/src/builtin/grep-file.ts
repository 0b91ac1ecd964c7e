import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { createMatchReport, type MatchReportOptions } from './match-report.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;
const PROBED_BYTES = 8000;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const LF = 0x0a;

export type GrepFileResult =
  | { kind: 'searched'; lines: string[]; matches: number; hasMore: boolean }
  | { kind: 'binary' }
  | { kind: 'unreadable' };

/** Searches a regular file line by line, in memory bounded by its longest line. */
export function grepFile(path: string, options: MatchReportOptions): GrepFileResult {
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

function searchLines(fd: number, options: MatchReportOptions): GrepFileResult {
  const report = createMatchReport(options);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  for (let isFirst = true; ; isFirst = false) {
    const bytesRead = readSync(fd, chunk, 0, CHUNK_BYTES, null);
    const bytes = chunk.subarray(0, bytesRead);
    if (isFirst && bytes.subarray(0, PROBED_BYTES).includes(0)) return { kind: 'binary' };
    const all = Buffer.concat([rest, bytes]);
    const isLast = bytesRead === 0;
    const end = isLast || all.length > MAX_LINE_BYTES ? all.length : all.lastIndexOf(LF) + 1;
    if (end > 0 && !report.addLines(all.toString('utf8', 0, end))) break;
    if (isLast) break;
    rest = all.subarray(end);
  }
  return { kind: 'searched', ...report.result() };
}
