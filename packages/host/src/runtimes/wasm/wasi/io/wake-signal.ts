/** How a thread that stands still hears that something arrived. */
export interface WakeSignal {
  /**
   * Blocks the thread until `isReady()` is true, looking again whenever the signal was raised, at most `timeoutMs`
   * (forever when absent). Nothing raised between a look and the wait is missed.
   * @returns whether it became ready.
   */
  waitUntil(isReady: () => boolean, timeoutMs?: number): boolean;
}

/** `shared` is a link's `wake`: the host raises the counter at its start after whatever it sends. */
export function createWakeSignal(shared: SharedArrayBuffer): WakeSignal {
  const counter = new Int32Array(shared, 0, 1);
  return {
    waitUntil(isReady, timeoutMs = Number.POSITIVE_INFINITY) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const seen = Atomics.load(counter, 0);
        if (isReady()) return true;
        const leftMs = end - performance.now();
        if (leftMs <= 0) return false;
        Atomics.wait(counter, 0, seen, leftMs);
      }
    },
  };
}
