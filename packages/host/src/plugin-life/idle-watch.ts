/** Tells when nothing was asked of something for a while. */
export interface IdleWatch {
  /** Something was asked of it. */
  touch(): void;
  /** A call of it, which may take longer than it may be idle. */
  watch(result: unknown): void;
  end(): void;
}

export function createIdleWatch(idleMs: number, onIdle: () => void): IdleWatch {
  let timer: NodeJS.Timeout | undefined;
  let callsInFlight = 0;
  let isOver = false;

  function touch(): void {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => callsInFlight === 0 && onIdle(), idleMs).unref();
  }

  return {
    touch,
    watch(result) {
      callsInFlight += 1;
      const done = () => {
        callsInFlight -= 1;
        touch();
      };
      Promise.resolve(result).then(done, done);
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
