import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
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
  /** The pieces of the line that is not complete, as far as they are kept. */
  let pieces: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;

  const isWanted = (): boolean => !isFull && totalLines >= offset && lines.length < limit;

  const keep = (piece: Buffer): void => {
    lineBytes += piece.length;
    if (!isWanted() || keptBytes >= MAX_LINE_BYTES) return;
    const kept = Buffer.from(piece.subarray(0, MAX_LINE_BYTES - keptBytes));
    pieces.push(kept);
    keptBytes += kept.length;
  };

  const finishLine = (): void => {
    if (isWanted()) collect(Buffer.concat(pieces));
    totalLines++;
    pieces = [];
    keptBytes = 0;
    lineBytes = 0;
  };

  const collect = (bytes: Buffer): void => {
    const cutBytes = lineBytes - bytes.length;
    const line = decode(bytes, cutBytes > 0);
    if (lines.length > 0 && windowBytes + bytes.length > MAX_WINDOW_BYTES) {
      isFull = true;
      return;
    }
    windowBytes += bytes.length + 1;
    lines.push(cutBytes > 0 ? `${line}... (${cutBytes} more bytes in this line)` : line);
  };

  const decode = (bytes: Buffer, isCut: boolean): string => {
    const whole = isCut ? withoutSplitCharacter(bytes) : bytes;
    isText &&= isUtf8(whole);
    const text = whole.at(-1) === CR && !isCut ? whole.toString('utf8', 0, whole.length - 1) : whole.toString();
    return totalLines === 0 && text.startsWith(BOM) ? text.slice(1) : text;
  };

  return {
    lines,
    get totalLines() {
      return totalLines;
    },
    get isUtf8() {
      return isText;
    },
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
        keep(chunk.subarray(start, at));
        finishLine();
        start = at + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (lineBytes > 0) finishLine();
    },
  };
}

/** Drops the first bytes of a character whose rest was cut off. */
function withoutSplitCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
