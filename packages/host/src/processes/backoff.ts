export interface BackoffOptions {
  /** Delay of the second restart; it doubles from there. The first restart is at once. */
  baseMs?: number;
  maxMs?: number;
  /** A life this long forgives the failures before it. */
  healthyMs?: number;
  now?: () => number;
}

/** How long to wait before something that crashed is started again. */
export interface Backoff {
  started(): void;
  failed(): void;
  /** Milliseconds that a start has to wait now. */
  delayMs(): number;
  /** Resolves when a start is due; rejects with the signal's reason when it aborts first. */
  wait(abortSignal: AbortSignal): Promise<void>;
}

export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { baseMs = 250, maxMs = 10_000, healthyMs = 10_000, now = Date.now } = options;
  let failures = 0;
  let startedAt: number | undefined;
  let failedAt = 0;

  const delayMs = (): number => {
    if (failures < 2) return 0;
    const delay = Math.min(baseMs * 2 ** (failures - 2), maxMs);
    return Math.max(0, failedAt + delay - now());
  };

  return {
    started() {
      startedAt = now();
    },
    failed() {
      failedAt = now();
      const wasHealthy = startedAt !== undefined && failedAt - startedAt >= healthyMs;
      failures = wasHealthy ? 1 : failures + 1;
      startedAt = undefined;
    },
    delayMs,
    wait(abortSignal) {
      const delay = delayMs();
      if (abortSignal.aborted) return Promise.reject(abortSignal.reason);
      return delay === 0 ? Promise.resolve() : sleep(delay, abortSignal);
    },
  };
}

function sleep(ms: number, abortSignal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortSignal.reason);
    };
    const timer = setTimeout(() => {
      abortSignal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    abortSignal.addEventListener('abort', stop, { once: true });
  });
}
