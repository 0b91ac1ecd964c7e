/** The most that one call gives. The spec has no error here, so that more is a trap. */
const MAX_BYTES = 16 * 1024 * 1024;

/** wasi:random. `insecure` is as secure as the rest: there is nothing to gain from a second generator. */
export function createRandom() {
  return {
    'wasi:random/random': { getRandomBytes: randomBytes, getRandomU64: randomU64 },
    'wasi:random/insecure': { getInsecureRandomBytes: randomBytes, getInsecureRandomU64: randomU64 },
    'wasi:random/insecure-seed': { insecureSeed: (): [bigint, bigint] => [randomU64(), randomU64()] },
  };
}

function randomBytes(length: bigint): Uint8Array {
  if (length > MAX_BYTES) throw new Error(`the plugin asked for ${length} random bytes at once; at most ${MAX_BYTES}`);
  // Not every guest needs randomness: node:crypto is loaded by the first that does.
  return process.getBuiltinModule('node:crypto').randomBytes(Number(length));
}

function randomU64(): bigint {
  return Buffer.from(randomBytes(8n)).readBigUInt64LE();
}
