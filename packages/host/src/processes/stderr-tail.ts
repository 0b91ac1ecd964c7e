const LINE_ELLIPSIS = ' ...';

export interface StderrTailOptions {
  maxLines?: number;
  maxLineLength?: number;
  maxBytes?: number;
}

/** The end of what a process wrote to stderr, to be quoted when it dies. */
export interface StderrTail {
  push(chunk: Uint8Array): void;
  /** The last lines, without blank ones and terminal control characters, each cut to the limit. */
  lines(): string[];
}

/** Keeps at most about twice `maxBytes`, whatever comes: a flood costs one copy of its last chunk. */
export function createStderrTail(options: StderrTailOptions = {}): StderrTail {
  const { maxLines = 12, maxLineLength = 400, maxBytes = 8 * 1024 } = options;
  let kept: Uint8Array[] = [];
  let keptBytes = 0;

  return {
    push(chunk) {
      const end = chunk.length > maxBytes ? chunk.subarray(chunk.length - maxBytes) : chunk;
      // A copy: a view would hold the whole pooled chunk in memory.
      kept.push(new Uint8Array(end));
      keptBytes += end.length;
      if (keptBytes <= maxBytes * 2) return;
      const joined = Buffer.concat(kept);
      kept = [joined.subarray(joined.length - maxBytes)];
      keptBytes = maxBytes;
    },
    lines() {
      const text = Buffer.concat(kept).toString('utf8');
      const lines = text.split(/[\r\n]+/).map(withoutControls);
      return lines
        .filter((line) => line.trim() !== '')
        .slice(-maxLines)
        .map(cut);
    },
  };

  function cut(line: string): string {
    return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)}${LINE_ELLIPSIS}`;
  }
}

/** Programs colour their errors; the sequences would paint the host's own messages. */
function withoutControls(line: string): string {
  return line
    .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)/g, '')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
