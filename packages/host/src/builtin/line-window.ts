import { isUtf8 } from 'node:buffer';
import { createLineSplitter, type SplitLine } from './line-splitter.ts';
import { endOfWholeCharacters } from './whole-characters.ts';

const CR = 0x0d;
const BOM = '\ufeff';
/** Below the host's default output cap of 100,000, so that a page arrives whole with its header. */
const MAX_WINDOW_BYTES = 90_000;
const MAX_LINE_BYTES = 65_536;

/** Which lines of a file are shown. */
export interface WindowPlace {
  /** Lines to skip. */
  readonly offset: number;
  /** Bytes to skip in the first line that is shown. */
  readonly lineOffset: number;
  /** The most lines. */
  readonly limit: number;
}

/** Collects the lines `offset` (0-based) to `offset + limit` of a file that is pushed in chunks. */
export interface LineWindow {
  push(chunk: Buffer): void;
  /** After the last chunk: a line without a line feed counts too. */
  end(): void;
  readonly lines: readonly string[];
  readonly totalLines: number;
  /** The bytes of the first line that is shown; 0 when there is none. */
  readonly firstLineBytes: number;
  /** Whether all that was collected is UTF-8. */
  readonly isUtf8: boolean;
}

/** Stops collecting where the page is full: at least one line, at most MAX_WINDOW_BYTES; a long line is cut visibly. */
export function createLineWindow({ offset, lineOffset, limit }: WindowPlace): LineWindow {
  const lines: string[] = [];
  let totalLines = 0;
  let windowBytes = 0;
  let firstLineBytes = 0;
  let isFull = false;
  let isText = true;

  const isWanted = (): boolean => !isFull && totalLines >= offset && lines.length < limit;
  const skippedBytes = (): number => (totalLines === offset ? lineOffset : 0);

  const collect = (line: SplitLine): void => {
    const start = Math.min(skippedBytes(), line.length);
    const isCut = start + line.kept.length < line.length;
    const bytes = readableBytes(line.kept, isCut);
    isFull = lines.length > 0 && windowBytes + bytes.length > MAX_WINDOW_BYTES;
    if (isFull) return;
    if (lines.length === 0) firstLineBytes = line.length;
    isText &&= isUtf8(bytes);
    windowBytes += bytes.length + 1;
    const next = start + bytes.length;
    const rest = isCut ? moreOfLine({ offset: totalLines, next, moreBytes: line.length - next }) : '';
    lines.push(readableText(bytes, totalLines === 0 && start === 0) + rest);
  };

  const splitter = createLineSplitter({
    maxLineBytes: MAX_LINE_BYTES,
    isWanted,
    skippedBytes,
    onLine(line) {
      if (isWanted()) collect(line);
      totalLines++;
    },
  });

  return {
    push: splitter.push,
    end: splitter.end,
    lines,
    get totalLines() {
      return totalLines;
    },
    get firstLineBytes() {
      return firstLineBytes;
    },
    get isUtf8() {
      return isText;
    },
  };
}

/** Without the CR of a CRLF, and without half a character where the line was cut. */
function readableBytes(kept: Buffer, isCut: boolean): Buffer {
  if (isCut) return kept.subarray(0, endOfWholeCharacters(kept));
  return kept.at(-1) === CR ? kept.subarray(0, -1) : kept;
}

function readableText(bytes: Buffer, isStartOfFile: boolean): string {
  const text = bytes.toString();
  return isStartOfFile && text.startsWith(BOM) ? text.slice(1) : text;
}

/** Where a line that was cut goes on. */
function moreOfLine({ offset, next, moreBytes }: { offset: number; next: number; moreBytes: number }): string {
  return `... (${moreBytes} more bytes in this line: use offset=${offset} line_offset=${next} to read on)`;
}
