/** How long one call may run, in ms. With `maxMs`, signs of life renew `idleMs` up to it. */
export interface DeadlineLimits {
  readonly idleMs: number;
  readonly maxMs?: number;
}

/**
 * The clock of one call. `onExpire` gets the limit that was passed and is called at most once. It can be paused
 * while a person is asked, as that time does not count (design section 3).
 */
export class Deadline {
  readonly #limits: DeadlineLimits;
  readonly #onExpire: (limitMs: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #renewedAt = 0;
  #pausedAt = 0;
  #pauses = 0;

  constructor(limits: DeadlineLimits, onExpire: (limitMs: number) => void) {
    this.#limits = limits;
    this.#onExpire = onExpire;
  }

  start(): void {
    this.#startedAt = this.#renewedAt = performance.now();
    this.#arm();
  }

  /** Output or progress came. Cheap: the timer is moved only when it fires. */
  renew(): void {
    if (this.#limits.maxMs !== undefined) this.#renewedAt = performance.now();
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    this.#pausedAt = performance.now();
    this.stop();
  }

  resume(): void {
    if (--this.#pauses > 0) return;
    const waited = performance.now() - this.#pausedAt;
    this.#startedAt += waited;
    this.#renewedAt += waited;
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = setTimeout(Deadline.#check, Math.max(1, this.#remainingMs()), this);
  }

  /** How long until the nearer of the two limits. */
  #remainingMs(): number {
    const now = performance.now();
    const idle = this.#renewedAt + this.#limits.idleMs - now;
    if (this.#limits.maxMs === undefined) return idle;
    return Math.min(idle, this.#startedAt + this.#limits.maxMs - now);
  }

  // Static, so that a call costs no closure.
  static #check(deadline: Deadline): void {
    if (deadline.#remainingMs() > 0.5) {
      deadline.#arm();
      return;
    }
    const { idleMs, maxMs } = deadline.#limits;
    const isMax = maxMs !== undefined && performance.now() >= deadline.#startedAt + maxMs - 0.5;
    deadline.stop();
    deadline.#onExpire(isMax ? maxMs : idleMs);
  }
}
