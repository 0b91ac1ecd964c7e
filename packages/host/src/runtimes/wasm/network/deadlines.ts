/** Timers by name, none of which keeps the process alive. */
export interface Deadlines {
  /** Does nothing while the timer of that name runs. */
  start(name: string, ms: number, onTimeout: () => void): void;
  stop(name: string): void;
  /** None runs after this, and none can be started. */
  stopAll(): void;
}

export function createDeadlines(): Deadlines {
  const timers = new Map<string, NodeJS.Timeout>();
  let isOver = false;

  function stop(name: string): void {
    clearTimeout(timers.get(name));
    timers.delete(name);
  }

  return {
    start(name, ms, onTimeout) {
      if (isOver || timers.has(name)) return;
      timers.set(name, setTimeout(onTimeout, ms).unref());
    },
    stop,
    stopAll() {
      isOver = true;
      for (const name of timers.keys()) stop(name);
    },
  };
}
