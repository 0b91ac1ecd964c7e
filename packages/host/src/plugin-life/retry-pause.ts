const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** The time after a failure in which nothing is tried again: longer after each, until something works. */
export interface RetryPause {
  isOn(): boolean;
  /** After a failure. */
  begin(): void;
  reset(): void;
}

export function createRetryPause(): RetryPause {
  let failures = 0;
  let endMs = 0;
  return {
    isOn: () => performance.now() < endMs,
    begin() {
      endMs = performance.now() + Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
      failures += 1;
    },
    reset() {
      failures = 0;
      endMs = 0;
    },
  };
}
