import type { HostLink } from '../host-link.ts';

/** What the host pushes when the call that runs was given up. */
export const CANCEL = 'cancel';
/** What the thread posts when the guest was told of it. */
export const CANCEL_HEARD = 'cancel-heard';

/** Whether the call that runs was given up, as its thread sees it. */
export interface CancelWatch {
  /** A new call begins. */
  reset(): void;
  isCancelled(): boolean;
  /** Holds the thread for a time, or until the call is given up; true for the latter, which it tells once. */
  wait(timeoutMs: number): boolean;
}

export function createCancelWatch(link: HostLink): CancelWatch {
  const sent = new Int32Array(link.wake);
  let lastSeen = -1;
  let isCancelled = false;
  let isTold = false;
  let isHeard = false;
  link.onPush(CANCEL, () => {
    isCancelled = true;
  });

  /** The count of what the host has sent, after looking at it. */
  function look(): number {
    const seen = Atomics.load(sent, 0);
    // Guests ask in loops: a look at the counter is cheap, one at the port is not.
    if (seen !== lastSeen) link.poll();
    lastSeen = seen;
    return seen;
  }

  function acknowledge(): void {
    if (!isHeard) link.post(CANCEL_HEARD, undefined);
    isHeard = true;
  }

  return {
    reset() {
      isCancelled = false;
      isTold = false;
      isHeard = false;
    },
    isCancelled() {
      look();
      if (isCancelled) acknowledge();
      return isCancelled;
    },
    wait(timeoutMs) {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const seen = look();
        if (isCancelled && !isTold) {
          isTold = true;
          acknowledge();
          return true;
        }
        const left = end - performance.now();
        if (left <= 0) return false;
        Atomics.wait(sent, 0, seen, left);
      }
    },
  };
}
