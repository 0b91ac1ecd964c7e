import { StringDecoder } from 'node:string_decoder';
import type { PacedLog } from '@toolpost/protocol';
import { createStderrTail, type StderrTail } from '../../processes/stderr-tail.ts';

const MAX_LINE_CHARS = 8 * 1024;

/** What the guest writes to its standard output and error: lines of the log, never for the client. */
export interface GuestOutput {
  write(stream: 'stdout' | 'stderr', bytes: Uint8Array): void;
  /** A call ends: logs lines that have begun, and forgets its last words. */
  endCall(): void;
  /** The last lines of standard error, to be quoted when the guest ends. */
  lastWords(): string[];
}

export function createGuestOutput(log: PacedLog): GuestOutput {
  let tail: StderrTail | undefined;
  const streams = { stdout: createLines(log), stderr: createLines(log) };
  return {
    write(stream, bytes) {
      streams[stream].push(bytes);
      if (stream !== 'stderr') return;
      tail ??= createStderrTail();
      tail.push(bytes);
    },
    endCall() {
      streams.stdout.flush();
      streams.stderr.flush();
      tail = undefined;
    },
    lastWords: () => tail?.lines() ?? [],
  };
}

function createLines(log: PacedLog) {
  const decoder = new StringDecoder();
  let begun = '';
  return {
    push(bytes: Uint8Array): void {
      const lines = `${begun}${decoder.write(bytes)}`.split('\n');
      begun = lines.pop() ?? '';
      for (const line of lines) log.write(line);
      if (begun.length <= MAX_LINE_CHARS) return;
      log.write(begun);
      begun = '';
    },
    flush(): void {
      if (begun !== '') log.write(begun);
      begun = '';
    },
  };
}
