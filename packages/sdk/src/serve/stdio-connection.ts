import { createLineSplitter } from '@toolpost/protocol';
import type { PluginConnection } from './plugin-connection.ts';

/** So much is written without waiting for more: the host reads it while the next calls are answered. */
const FLUSH_CHARACTERS = 2048;
/** Arguments may be large; the host's own limits are tighter. */
const DEFAULT_MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface StdioConnection extends PluginConnection {
  /** Resolves when all that was sent, and all of stderr, is with the host. */
  drain(): Promise<void>;
}

export interface StdioConnectionOptions {
  /** The longest line taken from the host, in bytes. Default 64 MiB. */
  maxLineBytes?: number;
}

/**
 * Takes over the process's standard streams: stdin and stdout belong to the protocol from here on, and whatever else
 * is written to stdout, `console.log` included, goes to stderr. When the host no longer reads, the process ends at
 * once, before anything could log the failed write.
 */
export function createStdioConnection({
  maxLineBytes = DEFAULT_MAX_LINE_BYTES,
}: StdioConnectionOptions = {}): StdioConnection {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  for (const stream of [stdout, stderr]) stream.on('error', () => process.exit(0));

  let waiting = '';
  let isReading = false;
  const flush = (): void => {
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    write(lines);
  };

  return {
    get backlog() {
      return waiting.length + stdout.writableLength;
    },
    send(line) {
      // What the lines of a chunk are answered at once leaves with its last. Later, a tick and not a microtask: it runs
      // when all promises that are settled have been followed up.
      if (waiting === '' && !isReading) process.nextTick(flush);
      waiting += `${line}\n`;
      if (waiting.length > FLUSH_CHARACTERS) flush();
    },
    listen({ onLine, onOverlongLine, onEnd }) {
      const splitter = createLineSplitter({ maxLineBytes, onLine, onOverlongLine, decode: decodeUtf8 });
      let hasEnded = false;
      const end = (): void => {
        if (hasEnded) return;
        hasEnded = true;
        splitter.end();
        onEnd();
      };
      stdin.on('data', (chunk: Uint8Array) => {
        isReading = true;
        splitter.push(chunk);
        isReading = false;
        flush();
      });
      stdin.on('end', end);
      stdin.on('close', end);
      stdin.on('error', end);
    },
    async drain() {
      flush();
      await Promise.all([written(write), written(stderr.write.bind(stderr))]);
    },
  };
}

/** Twice as fast as a TextDecoder on short lines. */
function decodeUtf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

/** Streams write in order: an empty write is done when all before it is. */
function written(write: (text: string, done: () => void) => boolean): Promise<void> {
  return new Promise((resolve) => write('', () => resolve()));
}
