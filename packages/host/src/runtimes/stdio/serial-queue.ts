/** Runs tasks one after the other, in the order in which they came; the first one at once. */
export interface SerialQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createSerialQueue(): SerialQueue {
  const waiting: (() => void)[] = [];
  let isBusy = false;

  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else isBusy = false;
  };

  return {
    async run(task) {
      if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
      isBusy = true;
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
