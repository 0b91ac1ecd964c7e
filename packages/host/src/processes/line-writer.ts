import type { Writable } from 'node:stream';

/** So much text that a plugin does not read is not worth keeping. */
const MAX_UNREAD_CHARACTERS = 256 * 1024 * 1024;

export interface LineWriter {
  /** Appends a message; all of one tick leave in one write. */
  write(message: unknown): void;
  /**
   * Appends a message that is JSON text already. `isAlone`: nothing that could go with it is likely to follow, so it is
   * written at once.
   */
  writeJson(json: string, isAlone?: boolean): void;
  /** How much waits to be read by the process, in characters. */
  readonly backlog: number;
  /** Writes what waits and closes the stream. */
  end(): void;
}

/**
 * Writes JSON lines to a process. What comes while the pipe is full waits here, in order; a process that reads nothing
 * at all is reported once through `onStuck`.
 */
export function createLineWriter(stream: Writable, onStuck: () => void): LineWriter {
  let waiting = '';
  let isScheduled = false;
  let isFull = false;
  let isEnding = false;

  const flush = (): void => {
    if (waiting !== '' && !isFull) {
      const lines = escapeLineEnds(waiting);
      waiting = '';
      isFull = !stream.write(lines);
    }
    if (isEnding && waiting === '') stream.end();
  };

  const flushInTick = (): void => {
    isScheduled = false;
    flush();
  };

  const giveUp = (): void => {
    waiting = '';
    isEnding = true;
    onStuck();
  };

  const writeJson = (json: string, isAlone = false): void => {
    if (isEnding) return;
    waiting += `${json}\n`;
    if (waiting.length > MAX_UNREAD_CHARACTERS) giveUp();
    else if (isFull) return;
    else if (isAlone) flush();
    else if (!isScheduled) {
      isScheduled = true;
      process.nextTick(flushInTick);
    }
  };

  stream.on('drain', () => {
    isFull = false;
    flush();
  });

  return {
    get backlog() {
      return waiting.length + stream.writableLength;
    },
    write: (message) => writeJson(JSON.stringify(message)),
    writeJson,
    end() {
      isEnding = true;
      flush();
    },
  };
}

/**
 * JSON leaves these in texts as they are, and readers of lines in some languages split at them (Node's readline, Python's
 * splitlines). Most lines hold none, which is quick to see, and for all lines of a write at once.
 */
function escapeLineEnds(lines: string): string {
  if (!lines.includes('\u2028') && !lines.includes('\u2029') && !lines.includes('\u0085')) return lines;
  return lines.replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
