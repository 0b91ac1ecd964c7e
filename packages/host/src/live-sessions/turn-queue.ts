/** The turns of one session, one at a time in the order they were asked for. */
export interface TurnQueue {
  /** Those that run or wait. */
  readonly size: number;
  /** Runs the work after what was asked for before, under a signal that also `cancel` aborts. */
  run<T>(abortSignal: AbortSignal | undefined, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T>;
  /** Cancels what runs and what waits; returns how many. */
  cancel(): number;
  /** Cancels what runs. */
  cancelRunning(): void;
  idle(): Promise<void>;
}

export function createTurnQueue(): TurnQueue {
  const open = new Set<AbortController>();
  let running: AbortController | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function runNext<T>(
    controller: AbortController,
    abortSignal: AbortSignal | undefined,
    work: (abortSignal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    running = controller;
    const cancel = () => controller.abort();
    abortSignal?.addEventListener('abort', cancel, { once: true });
    if (abortSignal?.aborted) cancel();
    try {
      return await work(controller.signal);
    } finally {
      abortSignal?.removeEventListener('abort', cancel);
      open.delete(controller);
      running = undefined;
    }
  }

  return {
    get size() {
      return open.size;
    },
    run(abortSignal, work) {
      const controller = new AbortController();
      open.add(controller);
      const result = last.then(() => runNext(controller, abortSignal, work));
      last = result.catch(() => undefined);
      return result;
    },
    cancel() {
      for (const controller of open) controller.abort();
      return open.size;
    },
    cancelRunning: () => running?.abort(),
    async idle() {
      await last;
    },
  };
}
