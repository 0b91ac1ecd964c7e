import { setTimeout as delay } from 'node:timers/promises';

/** Time as the retries see it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or at once when `abortSignal` aborts. Never rejects. */
  sleep(ms: number, abortSignal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};
