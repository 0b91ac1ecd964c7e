/** Counts calls in a window that slides: at most `perWindow` (an integer from 1) in any `windowMs`, to the millisecond. */
export interface RateLimiter {
  /** Counts a call at `nowMs` and returns 0, or counts nothing and returns the ms until one would be let in. */
  admit(nowMs: number): number;
  /** Whether nothing that was counted matters any more. */
  isIdle(nowMs: number): boolean;
}

const FIRST_CAPACITY = 16;

/** Keeps the times of the counted calls in a ring that grows with use, so a generous limit costs no memory by itself. */
export function createRateLimiter(perWindow: number, windowMs: number): RateLimiter {
  let times = new Float64Array(Math.min(perWindow, FIRST_CAPACITY));
  let count = 0;
  let next = 0;
  let newest = Number.NEGATIVE_INFINITY;

  const oldest = () => times[(next - count + times.length) % times.length] ?? 0;
  const grow = () => {
    const larger = new Float64Array(Math.min(perWindow, times.length * 2));
    for (let index = 0; index < count; index++)
      larger[index] = times[(next - count + index + times.length) % times.length] ?? 0;
    times = larger;
    next = count;
  };

  return {
    admit(nowMs) {
      // A clock that was set back must not lock the plugin out until it catches up.
      if (nowMs < newest - windowMs) count = 0;
      while (count > 0 && nowMs - oldest() >= windowMs) count -= 1;
      if (count >= perWindow) return Math.max(1, Math.ceil(windowMs - (nowMs - oldest())));
      if (count === times.length) grow();
      times[next] = nowMs;
      next = (next + 1) % times.length;
      count += 1;
      newest = nowMs;
      return 0;
    },
    isIdle: (nowMs) => nowMs - newest >= windowMs,
  };
}
