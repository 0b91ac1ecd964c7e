/** The part of a call's context that a wait needs: calls `listener` on an abort, at once when there was one. */
export interface Abortable {
  onAbort(listener: () => void): () => void;
}

/** At most `max` calls at once; the others wait in the order in which they came. */
export interface ConcurrencyLimit {
  /**
   * `true` when the call may run now, else a promise of whether it may: `false` after an abort. Each `true` is given
   * back by one `release`.
   */
  acquire(call: Abortable): true | Promise<boolean>;
  release(): void;
  readonly isIdle: boolean;
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let running = 0;
  // A set keeps the order of arrival and forgets an aborted wait in constant time.
  const waiting = new Set<() => void>();

  const wait = (call: Abortable) =>
    new Promise<boolean>((resolve) => {
      let stopListening: (() => void) | undefined;
      const start = () => {
        stopListening?.();
        resolve(true);
      };
      waiting.add(start);
      stopListening = call.onAbort(() => {
        if (waiting.delete(start)) resolve(false);
      });
    });

  return {
    acquire(call) {
      if (running < max) {
        running += 1;
        return true;
      }
      return wait(call);
    },
    release() {
      const [first] = waiting;
      if (first) {
        // The slot goes over to the next call, so that no newcomer overtakes it.
        waiting.delete(first);
        first();
      } else if (running > 0) running -= 1;
    },
    get isIdle() {
      return running === 0 && waiting.size === 0;
    },
  };
}

/** Both limits at once. The one that comes first is the one whose queue the other must not fill. */
export function joinLimits(first: ConcurrencyLimit, second: ConcurrencyLimit): ConcurrencyLimit {
  const keepOrRelease = (isHeld: boolean) => {
    if (!isHeld) first.release();
    return isHeld;
  };
  const acquireSecond = (call: Abortable): true | Promise<boolean> => {
    const held = second.acquire(call);
    return held === true || held.then(keepOrRelease);
  };
  return {
    acquire(call) {
      const held = first.acquire(call);
      return held === true ? acquireSecond(call) : held.then((isHeld) => isHeld && acquireSecond(call));
    },
    release() {
      second.release();
      first.release();
    },
    get isIdle() {
      return first.isIdle && second.isIdle;
    },
  };
}
