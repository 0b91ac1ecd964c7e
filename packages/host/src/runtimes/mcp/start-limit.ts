import { formatDuration } from '@toolpost/protocol';

export interface StartLimit {
  /** Aborts, with an Error that says why, when the start is given up. */
  readonly signal: AbortSignal;
  /** Rejects then. */
  readonly promise: Promise<never>;
  clear(): void;
}

/** Bounds a start: by its time, and by the end of the host. */
export function limitStart(startTimeoutMs: number, abortSignal: AbortSignal): StartLimit {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const controller = new AbortController();
  const end = (reason: string): void => {
    const error = new Error(reason);
    reject(error);
    controller.abort(error);
  };
  const giveUp = (): void => end('the host is closing');
  const expire = (): void => end(`it did not list its tools within ${formatDuration(startTimeoutMs)} (startTimeout)`);
  const timer = setTimeout(expire, startTimeoutMs);
  abortSignal.addEventListener('abort', giveUp, { once: true });
  if (abortSignal.aborted) giveUp();
  return {
    signal: controller.signal,
    promise,
    clear() {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', giveUp);
    },
  };
}
