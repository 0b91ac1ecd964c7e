import { randomBytes } from './random-bytes.ts';

let lastMs = 0;
let counter = 0;

/** A UUID v7 (RFC 9562): its text sorts by time of making, also within one millisecond of one process. */
export function createSessionId(): string {
  const now = Date.now();
  counter = now > lastMs ? 0 : counter + 1;
  if (counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  } else lastMs = Math.max(now, lastMs);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
