import { formatDuration } from '@toolpost/protocol';

/**
 * How long a provider may send no byte, in ms. Large prompts to a model on the user's own machine take minutes until the
 * first one; Node itself gives up after five, and says less.
 */
export const DEFAULT_MODEL_IDLE_MS = 240_000;

/** A provider that fell silent: the connection is open, and nothing comes. */
class SilentProviderError extends Error {
  override readonly name = 'SilentProviderError';
  /** As the system names it: what reads errors of connections need not know of this one. */
  readonly code = 'ETIMEDOUT';

  constructor(idleMs: number) {
    super(`nothing came from it for ${formatDuration(idleMs)}, so the connection was taken for dead`);
  }
}

/**
 * `fetch` that ends a request whose answer does not begin, or goes on, for `idleMs`. Any byte is a sign of life: also the
 * comments and pings that providers send while a model thinks.
 */
export function fetchWithIdleLimit(idleMs: number): typeof fetch {
  return async (input, init) => {
    const silence = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, silence.signal]) : silence.signal;
    const within = <T>(waiting: Promise<T>) => orSilent(waiting, idleMs, silence);
    const response = await within(fetch(input, { ...init, signal }));
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(watched(response.body, within), { status, statusText, headers });
  };
}

type Within = <T>(waiting: Promise<T>) => Promise<T>;

/** Only a read that waits can be late: who reads slowly is not taken for a silent provider. */
function watched(body: ReadableStream<Uint8Array>, within: Within): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await within(reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function orSilent<T>(waiting: Promise<T>, idleMs: number, silence: AbortController): Promise<T> {
  const { promise: silent, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new SilentProviderError(idleMs);
    reject(error);
    silence.abort(error);
  }, idleMs);
  try {
    return await Promise.race([waiting, silent]);
  } finally {
    clearTimeout(timer);
  }
}
