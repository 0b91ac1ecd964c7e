/** A burst of notices is one refresh; so long after the first of them. */
const FIRST_DELAY_MS = 150;
/** A server that tells of changes without end is asked so rarely. */
const LONGEST_DELAY_MS = 30_000;

/** When something that changes is read again. */
export interface RefreshPacer {
  /** It changed: it is read again soon, once for all notices till then. */
  notice(): void;
  stop(): void;
}

/**
 * Runs `refresh` after notices, never twice at once and never for each of a flood: as long as notices go on, the time
 * between two refreshes doubles. The last notice is always followed by a refresh.
 */
export function createRefreshPacer(refresh: () => Promise<void>): RefreshPacer {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isNoticed = false;
  let isStopped = false;
  let delayMs = FIRST_DELAY_MS;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    timer = undefined;
    isNoticed = false;
    isRunning = true;
    await refresh();
    isRunning = false;
    refreshedAt = performance.now();
    if (isNoticed) schedule();
  };

  const schedule = (): void => {
    if (isStopped) return;
    const isFlood = performance.now() - refreshedAt < delayMs;
    delayMs = isFlood ? Math.min(delayMs * 2, LONGEST_DELAY_MS) : FIRST_DELAY_MS;
    timer = setTimeout(() => void run(), delayMs).unref();
  };

  return {
    notice() {
      isNoticed = true;
      if (!isRunning && timer === undefined) schedule();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
