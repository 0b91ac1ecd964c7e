/**
 * Waits for `work` for at most `timeoutMs`, then gives what `onTimeout` gives or throws. The work itself goes on: code in
 * this process cannot be stopped from outside.
 */
export async function within<T>(timeoutMs: number, work: Promise<T>, onTimeout: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, 'late');
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    return first === 'late' ? onTimeout() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
