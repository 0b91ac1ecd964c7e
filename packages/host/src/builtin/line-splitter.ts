const LF = 0x0a;

/** One line without its line feed; `kept` is its start, or what follows the bytes to skip, as far as it was kept. */
export interface SplitLine {
  readonly kept: Buffer;
  /** Bytes of the whole line. */
  readonly length: number;
}

export interface LineSplitterOptions {
  maxLineBytes: number;
  /** Whether the bytes of the current line are kept at all; counting lines needs none. */
  isWanted(): boolean;
  /** How many bytes at the start of the current line are not kept; none when absent. */
  skippedBytes?(): number;
  onLine(line: SplitLine): void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  end(): void;
}

/** Splits chunks at LF before anything is decoded, in memory bounded by `maxLineBytes`. */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { maxLineBytes, isWanted, skippedBytes, onLine } = options;
  let pieces: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;

  const keep = (piece: Buffer): void => {
    const start = Math.max(0, (skippedBytes?.() ?? 0) - length);
    length += piece.length;
    if (keptBytes >= maxLineBytes || start >= piece.length || !isWanted()) return;
    // A copy: the caller fills its chunk again.
    const kept = Buffer.from(piece.subarray(start, start + maxLineBytes - keptBytes));
    pieces.push(kept);
    keptBytes += kept.length;
  };

  const finish = (): void => {
    const [first] = pieces;
    const kept = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
    onLine({ kept, length });
    pieces = [];
    keptBytes = 0;
    length = 0;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
        keep(chunk.subarray(start, at));
        finish();
        start = at + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (length > 0) finish();
    },
  };
}
