import random from 'wasi:random/random@0.2.12';

/** As crypto.getRandomValues has it. */
const MOST_RANDOM_BYTES = 65_536;

/**
 * Replaces `Math.random` when the component runs. QuickJS seeds its own when it is made; what `toolpost build` makes is a
 * picture of the engine after that, which would give the same numbers in every instance.
 */
export function installRandom(): void {
  Math.random = guestRandom;
}

function guestRandom(): number {
  const view = new DataView(random.getRandomBytes(8).slice().buffer);
  return (view.getUint32(0) * 2 ** 21 + (view.getUint32(4) >>> 11)) / 2 ** 53;
}

export const guestCrypto = {
  getRandomValues<T extends ArrayBufferView>(array: T): T {
    if (array.byteLength > MOST_RANDOM_BYTES) {
      throw new DOMException(`at most ${MOST_RANDOM_BYTES} bytes at once`, 'QuotaExceededError');
    }
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(random.getRandomBytes(array.byteLength));
    return array;
  },

  randomUUID(): string {
    const bytes = [...random.getRandomBytes(16)];
    // RFC 9562, section 5.4: version 4, variant 10.
    const digits = bytes.map((byte, index) => {
      if (index === 6) return (byte & 0x0f) | 0x40;
      return index === 8 ? (byte & 0x3f) | 0x80 : byte;
    });
    const text = digits.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
  },
};
