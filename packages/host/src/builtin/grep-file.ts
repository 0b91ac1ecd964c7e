import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { countLines } from './find-spans.ts';
import { createMatchReport, type MatchReportOptions } from './match-report.ts';
import { endOfWholeCharacters } from './whole-characters.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CHUNK_BYTES = 1024 * 1024;
/** Some file systems call every file empty. */
const MIN_CHUNK_BYTES = 4096;
const PROBED_BYTES = 8000;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const LF = 0x0a;

export type GrepFileResult =
  | { kind: 'searched'; lines: string[]; matches: number; hasMore: boolean }
  | { kind: 'binary' }
  | { kind: 'unreadable' };

export interface GrepFileOptions extends MatchReportOptions {
  /** Bytes that stand in every line that matches: a stretch without them is passed over undecoded. */
  needle?: Buffer | undefined;
}

/**
 * Searches a regular file line by line, in memory bounded by its longest line. Yields after each stretch that it has
 * read, where it may wait.
 */
export function* grepFile(path: string, options: GrepFileOptions): Generator<undefined, GrepFileResult> {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
    if (!isFileAt(fd, path)) return { kind: 'unreadable' };
    return yield* searchLines(fd, options);
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

function* searchLines(fd: number, options: GrepFileOptions): Generator<undefined, GrepFileResult> {
  const report = createMatchReport(options);
  const needle = options.context === 0 ? options.needle : undefined;
  const { size } = fstatSync(fd);
  const chunk = Buffer.allocUnsafeSlow(chunkBytes(size));
  let rest: Buffer = Buffer.alloc(0);
  for (let isFirst = true; ; isFirst = false) {
    const bytesRead = readSync(fd, chunk, 0, chunk.length, null);
    const bytes = chunk.subarray(0, bytesRead);
    if (isFirst && bytes.subarray(0, PROBED_BYTES).includes(0)) return { kind: 'binary' };
    if (isFirst && needle && bytesRead === size && !bytes.includes(needle)) break;
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const isLast = bytesRead === 0;
    const end = isLast ? all.length : endOfLines(all);
    const lines = all.subarray(0, end);
    if (needle && lines.at(-1) === LF && !lines.includes(needle)) report.skipLines(countLines(lines, 0, end));
    else if (end > 0 && !report.addLines(lines.toString())) break;
    if (isLast) break;
    rest = Buffer.from(all.subarray(end));
    yield undefined;
  }
  return { kind: 'searched', ...report.result() };
}

/** A line that is too long is cut between characters. */
function endOfLines(bytes: Buffer): number {
  return bytes.length > MAX_LINE_BYTES ? endOfWholeCharacters(bytes) : bytes.lastIndexOf(LF) + 1;
}

/** One byte more than a small file has, so that one read shows that there is no more. */
function chunkBytes(size: number): number {
  return Math.min(Math.max(size + 1, MIN_CHUNK_BYTES), CHUNK_BYTES);
}
