import { readSync, writeSync } from 'node:fs';
import type { InputSource } from '../io/input-stream.ts';
import { IoError } from '../io/io-error.ts';
import type { OutputSink } from '../io/output-stream.ts';
import { errorCodeOf } from './error-code.ts';
import type { OpenFile } from './open-file.ts';

/** What one write may bring. */
const MAX_WRITE_BYTES = 1024 * 1024;

/** Reads `file` from `offset` on; its end is the stream's. Takes over one use of `file`. */
export function createFileSource(file: OpenFile, offset: number): InputSource {
  let position = offset;
  return {
    isReady: () => true,
    read(maxBytes) {
      const buffer = Buffer.allocUnsafeSlow(maxBytes);
      const size = withIoErrors(() => readSync(file.fd, buffer, 0, maxBytes, position));
      position += size;
      return size === 0 ? undefined : buffer.subarray(0, size);
    },
    dispose: () => file.release(),
  };
}

/** Writes to `file` from `offset` on. Takes over one use of `file`. */
export function createFileSink(file: OpenFile, offset: number): OutputSink {
  let position = offset;
  return createSink(file, (bytes) => {
    const size = writeSync(file.fd, bytes, 0, bytes.length, position);
    position += size;
    return size;
  });
}

/** Writes to the end of `file`, wherever that is by then. Takes over one use of `file`. */
export function createAppendSink(file: OpenFile): OutputSink {
  return createSink(file, (bytes) => file.append(bytes));
}

/** `writePart` writes as much of the bytes as it can, and returns how much. */
function createSink(file: OpenFile, writePart: (bytes: Uint8Array) => number): OutputSink {
  return {
    isReady: () => true,
    permit: () => MAX_WRITE_BYTES,
    write(bytes) {
      let rest = bytes;
      while (rest.length > 0) {
        const part = rest;
        rest = rest.subarray(withIoErrors(() => writePart(part)));
      }
    },
    dispose: () => file.release(),
  };
}

function withIoErrors<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const filesystem = errorCodeOf(error);
    throw new IoError(error instanceof Error ? error.message : filesystem, { filesystem });
  }
}
