import { exitNow } from './plugin-exit.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

/**
 * Without a handler a signal ends the process on the spot, and the plugins' processes, which have groups of their own,
 * go on. This ends it by `process.exit`, which takes them along, wherever nobody else handles the signal.
 */
export function exitOnSignals(): void {
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) exitNow(128 + NUMBERS[signal]);
    });
  }
}

/**
 * Runs `work` with a signal that SIGINT, SIGTERM and SIGHUP abort, so that it can end in order. A second SIGINT ends the
 * process at once: a person who presses Ctrl-C twice means it.
 */
export async function cancellable<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted && signal === 'SIGINT') exitNow(130);
    controller.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Resolves at the first signal that asks to end. A second one ends the process at once. */
export function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isEnding = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (isEnding) exitNow(128 + NUMBERS[signal]);
      isEnding = true;
      resolve();
    });
  }
  return promise;
}
