import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { printNow } from './print.ts';

/** Standard output for messages to a program, which may be slow to read them. */
export interface MessageOutput {
  write(chunk: string | Uint8Array): boolean;
  readonly writableLength: number;
  on(event: 'drain' | 'error', listener: () => void): unknown;
  cork?(): void;
  uncork?(): void;
  /** Resolves when all is written, or the reader has had a moment to take it. */
  finish(): Promise<void>;
}

const FAREWELL_MS = 1000;

/**
 * Node writes to a pipe on standard output until it is taken, and stands still meanwhile: with a client that does not
 * read, so would every plugin. A socket of our own on the same descriptor does not wait.
 */
export function openMessageOutput(): MessageOutput {
  const stat = fstatSync(1);
  return stat.isFIFO() || stat.isSocket() ? pipeOutput() : fileOutput();
}

function pipeOutput(): MessageOutput {
  const socket = new Socket({ fd: 1, readable: false, writable: true });
  const output = Object.assign(socket, {
    async finish(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, FAREWELL_MS);
      socket.once('close', resolve).end(resolve);
      await promise;
      clearTimeout(timer);
      socket.destroy();
    },
  });
  return output;
}

/** A file or a terminal takes what is written at once. */
function fileOutput(): MessageOutput {
  return {
    write(chunk) {
      printNow(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      return true;
    },
    writableLength: 0,
    on: () => undefined,
    finish: async () => undefined,
  };
}
