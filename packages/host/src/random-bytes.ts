import { randomBytes as fromCrypto } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Bytes that nobody can guess. The system's own source gives the same as node:crypto, whose loading takes a tenth of a
 * short command's start.
 */
export function randomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  try {
    const source = openSync('/dev/urandom', 'r');
    try {
      if (readSync(source, bytes) === count) return bytes;
    } finally {
      closeSync(source);
    }
  } catch {
    // Not every system has it.
  }
  return fromCrypto(count);
}
