import type { IoScope } from '../io/io-scope.ts';
import { Pollable } from '../io/pollable.ts';

const NS_PER_MS = 1_000_000;

/** wasi:clocks. Times are nanoseconds, as bigint. */
export function createClocks(io: IoScope) {
  return {
    'wasi:clocks/monotonic-clock': {
      now: monotonicNow,
      resolution: () => 1n,
      subscribeInstant: (when: bigint) => createTimer(io, when),
      subscribeDuration: (duration: bigint) => createTimer(io, monotonicNow() + duration),
    },
    'wasi:clocks/wall-clock': {
      now: wallNow,
      resolution: () => ({ seconds: 0n, nanoseconds: NS_PER_MS }),
    },
  };
}

function monotonicNow(): bigint {
  return process.hrtime.bigint();
}

function wallNow(): { seconds: bigint; nanoseconds: number } {
  const nowMs = Date.now();
  return { seconds: BigInt(Math.floor(nowMs / 1000)), nanoseconds: (nowMs % 1000) * NS_PER_MS };
}

function createTimer(io: IoScope, when: bigint): Pollable {
  return new Pollable(io, {
    isReady: () => monotonicNow() >= when,
    msUntilReady: () => Number(when - monotonicNow()) / NS_PER_MS,
  });
}
