import { type ResultJson, resultFrame } from './write-message.ts';

/** A client that has so much left to read gets merged progress, and no logs. */
const BEHIND_BYTES = 256 * 1024;
/** One that has so much left to read is not read from until it reads. */
const STUCK_BYTES = 8 * 1024 * 1024;

/** Where messages go: a pipe that may be full. */
export interface MessagePipe {
  /** False when it is full, until `drain`. */
  write(chunk: string | Uint8Array): boolean;
  /** What waits in it. */
  readonly writableLength: number;
  cork?(): void;
  uncork?(): void;
  on(event: 'drain', listener: () => void): unknown;
}

/** Writes messages to a client, one a line; those of one turn of the loop leave in one write. */
export interface MessageWriter {
  send(message: string): void;
  sendResult(rawId: string, result: ResultJson): void;
  readonly isBehind: boolean;
  /** So far behind that nothing more should be taken from it. */
  readonly isStuck: boolean;
  /** Calls `listener` once when it has caught up. */
  onCaughtUp(listener: () => void): void;
  /** Writes what waits, now. */
  flush(): void;
}

export function createMessageWriter(pipe: MessagePipe): MessageWriter {
  let text = '';
  let chunks: (string | Uint8Array)[] = [];
  let waitingBytes = 0;
  let isScheduled = false;
  let listeners: (() => void)[] = [];

  function flush(): void {
    isScheduled = false;
    waitingBytes = 0;
    if (chunks.length === 0) {
      const only = text;
      text = '';
      if (only !== '') pipe.write(only);
      return;
    }
    const all = text === '' ? chunks : [...chunks, text];
    text = '';
    chunks = [];
    pipe.cork?.();
    for (const chunk of all) pipe.write(chunk);
    pipe.uncork?.();
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(flush);
  }

  const left = () => pipe.writableLength + waitingBytes;

  pipe.on('drain', () => {
    const waiting = listeners;
    listeners = [];
    for (const listener of waiting) listener();
  });

  return {
    send(message) {
      text += `${message}\n`;
      waitingBytes += message.length;
      schedule();
    },
    sendResult(rawId, result) {
      const [head, tail] = resultFrame(rawId);
      if (typeof result === 'string') {
        text += `${head}${result}${tail}\n`;
      } else {
        // Bytes that are kept ready go out as they are.
        chunks.push(`${text}${head}`, result);
        text = `${tail}\n`;
      }
      waitingBytes += result.length;
      schedule();
    },
    get isBehind() {
      return left() > BEHIND_BYTES;
    },
    get isStuck() {
      return left() > STUCK_BYTES;
    },
    onCaughtUp(listener) {
      if (left() === 0) listener();
      else listeners.push(listener);
    },
    flush,
  };
}
