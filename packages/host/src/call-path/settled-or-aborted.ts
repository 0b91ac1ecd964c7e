/** Waits for work that goes on by itself; a caller that goes away does not wait for it. */
export async function settledOrAborted(work: Promise<void>, abortSignal: AbortSignal | undefined): Promise<void> {
  if (!abortSignal) return work;
  if (abortSignal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  abortSignal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work, promise]);
  } finally {
    abortSignal.removeEventListener('abort', stop);
  }
}
