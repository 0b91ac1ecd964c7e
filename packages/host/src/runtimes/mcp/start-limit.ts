import { formatDuration } from '@toolpost/protocol';

export interface StartLimit {
  /** Rejects when the start is given up. */
  readonly promise: Promise<never>;
  readonly isOver: boolean;
  clear(): void;
}

/** Bounds a start: by its time, and by the end of the host. */
export function limitStart(startTimeoutMs: number, abortSignal: AbortSignal): StartLimit {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  let isOver = false;
  const end = (reason: string): void => {
    isOver = true;
    reject(new Error(reason));
  };
  const giveUp = (): void => end('the host is closing');
  const expire = (): void => end(`it did not list its tools within ${formatDuration(startTimeoutMs)} (startTimeout)`);
  const timer = setTimeout(expire, startTimeoutMs);
  abortSignal.addEventListener('abort', giveUp, { once: true });
  if (abortSignal.aborted) giveUp();
  return {
    promise,
    get isOver() {
      return isOver;
    },
    clear() {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', giveUp);
    },
  };
}
