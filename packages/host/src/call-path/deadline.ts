import { type Timed, unwatch, watch } from './deadline-clock.ts';

/** How long one call may run, in ms. With `maxMs`, signs of life renew `idleMs` up to it. */
export interface DeadlineLimits {
  readonly idleMs: number;
  readonly maxMs?: number | undefined;
}

/** Who is told, at most once, that the limit of so many ms has passed. */
export interface DeadlineOwner {
  expire(limitMs: number): void;
}

/** The time of one call. It can be paused while a person is asked, as that does not count (design section 3). */
export class Deadline implements Timed {
  previous: Timed | undefined = undefined;
  next: Timed | undefined = undefined;
  readonly #limits: DeadlineLimits;
  readonly #owner: DeadlineOwner;
  #isRunning = false;
  #startedAt = 0;
  #renewedAt = 0;
  #pausedAt = 0;
  #pauses = 0;

  constructor(limits: DeadlineLimits, owner: DeadlineOwner) {
    this.#limits = limits;
    this.#owner = owner;
  }

  start(nowMs: number): void {
    this.#startedAt = this.#renewedAt = nowMs;
    this.#isRunning = true;
    // A tool may have begun to ask before it returned its promise.
    if (this.#pauses > 0) this.#pausedAt = nowMs;
    else watch(this, nowMs);
  }

  /** Output or progress came. */
  renew(): void {
    if (this.#limits.maxMs !== undefined) this.#renewedAt = performance.now();
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    this.#pausedAt = performance.now();
    if (this.#isRunning) unwatch(this);
  }

  resume(): void {
    if (--this.#pauses > 0 || !this.#isRunning) return;
    const nowMs = performance.now();
    this.#startedAt += nowMs - this.#pausedAt;
    this.#renewedAt += nowMs - this.#pausedAt;
    watch(this, nowMs);
  }

  stop(): void {
    if (this.#isRunning && this.#pauses === 0) unwatch(this);
    this.#isRunning = false;
  }

  /** Until the nearer of the two limits. */
  remainingMs(nowMs: number): number {
    const { idleMs, maxMs } = this.#limits;
    const idle = this.#renewedAt + idleMs - nowMs;
    return maxMs === undefined ? idle : Math.min(idle, this.#startedAt + maxMs - nowMs);
  }

  expire(): void {
    const { idleMs, maxMs } = this.#limits;
    const isMax = maxMs !== undefined && performance.now() >= this.#startedAt + maxMs - 1;
    this.stop();
    this.#owner.expire(isMax ? maxMs : idleMs);
  }
}
