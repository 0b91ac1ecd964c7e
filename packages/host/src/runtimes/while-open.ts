import type { RuntimeContext } from './runtime.ts';

type Closing = Pick<RuntimeContext, 'closing'>;

/** @throws Error when the host closes: what is being started is given up then. */
export function throwIfClosing({ closing }: Closing): void {
  if (closing?.aborted) throw closed();
}

/** Waits for a start until the host closes, and rejects then. The start itself goes on: the caller ends what comes of it. */
export async function whileOpen<T>({ closing }: Closing, starting: Promise<T>): Promise<T> {
  if (!closing) return starting;
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(closed());
  closing.addEventListener('abort', giveUp, { once: true });
  if (closing.aborted) giveUp();
  try {
    return await Promise.race([promise, starting]);
  } finally {
    closing.removeEventListener('abort', giveUp);
  }
}

function closed(): Error {
  return new Error('the host is closing');
}
