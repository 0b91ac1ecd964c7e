const LF = 0x0a;

/** One line without its line feed; `kept` is its start, as far as it was kept. */
export interface SplitLine {
  readonly kept: Buffer;
  /** Bytes of the whole line. */
  readonly length: number;
}

export interface LineSplitterOptions {
  maxLineBytes: number;
  /** Whether the bytes of the current line are kept at all; counting lines needs none. */
  isWanted(): boolean;
  onLine(line: SplitLine): void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
  end(): void;
}

/** Splits chunks at LF before anything is decoded, in memory bounded by `maxLineBytes`. */
export function createLineSplitter({ maxLineBytes, isWanted, onLine }: LineSplitterOptions): LineSplitter {
  let pieces: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;

  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (keptBytes >= maxLineBytes || !isWanted()) return;
    // A copy: the caller fills its chunk again.
    const kept = Buffer.from(piece.subarray(0, maxLineBytes - keptBytes));
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
