import { isUtf8 } from 'node:buffer';
import { createLineSplitter, type SplitLine } from './line-splitter.ts';
import { endOfWholeCharacters } from './whole-characters.ts';

const CR = 0x0d;
const BOM = '\ufeff';
/** Below the host's default output cap of 100,000, so that a page arrives whole with its header. */
const MAX_WINDOW_BYTES = 90_000;
const MAX_LINE_BYTES = 65_536;

/** Collects the lines `offset` (0-based) to `offset + limit` of a file that is pushed in chunks. */
export interface LineWindow {
  push(chunk: Buffer): void;
  /** After the last chunk: a line without a line feed counts too. */
  end(): void;
  readonly lines: readonly string[];
  readonly totalLines: number;
  /** Whether all that was collected is UTF-8. */
  readonly isUtf8: boolean;
}

/** Stops collecting where the page is full: at least one line, at most MAX_WINDOW_BYTES; a long line is cut visibly. */
export function createLineWindow(offset: number, limit: number): LineWindow {
  const lines: string[] = [];
  let totalLines = 0;
  let windowBytes = 0;
  let isFull = false;
  let isText = true;

  const isWanted = (): boolean => !isFull && totalLines >= offset && lines.length < limit;

  const collect = (line: SplitLine): void => {
    const bytes = readableBytes(line);
    isFull = lines.length > 0 && windowBytes + bytes.length > MAX_WINDOW_BYTES;
    if (isFull) return;
    isText &&= isUtf8(bytes);
    windowBytes += bytes.length + 1;
    lines.push(showLine(bytes, { isFirst: totalLines === 0, cutBytes: line.length - line.kept.length }));
  };

  const splitter = createLineSplitter({
    maxLineBytes: MAX_LINE_BYTES,
    isWanted,
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
    get isUtf8() {
      return isText;
    },
  };
}

/** Without the CR of a CRLF, and without half a character where the line was cut. */
function readableBytes({ kept, length }: SplitLine): Buffer {
  if (kept.length < length) return kept.subarray(0, endOfWholeCharacters(kept));
  return kept.at(-1) === CR ? kept.subarray(0, -1) : kept;
}

function showLine(bytes: Buffer, { isFirst, cutBytes }: { isFirst: boolean; cutBytes: number }): string {
  const text = bytes.toString();
  const shown = isFirst && text.startsWith(BOM) ? text.slice(1) : text;
  return cutBytes > 0 ? `${shown}... (${cutBytes} more bytes in this line)` : shown;
}
