/** How long one call may run, in ms. With `maxMs`, signs of life renew `idleMs` up to it. */
export interface DeadlineLimits {
  readonly idleMs: number;
  readonly maxMs?: number | undefined;
}

/** Who is told, at most once, that the limit of so many ms has passed. */
export interface DeadlineOwner {
  expire(limitMs: number): void;
}

/**
 * The clock of one call. It can be paused while a person is asked, as that time does not count (design section 3).
 * Most calls end within the turn of the event loop in which they start: those never cost a timer.
 */
export class Deadline {
  readonly #limits: DeadlineLimits;
  readonly #owner: DeadlineOwner;
  #timer: NodeJS.Timeout | undefined;
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
    else armSoon(this);
  }

  /** Output or progress came. Cheap: the timer is moved only when it fires. */
  renew(): void {
    if (this.#limits.maxMs !== undefined) this.#renewedAt = performance.now();
  }

  pause(): void {
    if (this.#pauses++ > 0) return;
    this.#pausedAt = performance.now();
    this.#disarm();
  }

  resume(): void {
    if (--this.#pauses > 0 || !this.#isRunning) return;
    const waited = performance.now() - this.#pausedAt;
    this.#startedAt += waited;
    this.#renewedAt += waited;
    armSoon(this);
  }

  stop(): void {
    this.#isRunning = false;
    this.#disarm();
  }

  /** Starts the timer; called for those that still run at the end of the turn. */
  arm(): void {
    this.#timer = setTimeout(Deadline.#check, Math.max(1, this.#remainingMs()), this);
  }

  #disarm(): void {
    if (!justStarted.delete(this)) clearTimeout(this.#timer);
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
      deadline.arm();
      return;
    }
    const { idleMs, maxMs } = deadline.#limits;
    const isMax = maxMs !== undefined && performance.now() >= deadline.#startedAt + maxMs - 0.5;
    deadline.stop();
    deadline.#owner.expire(isMax ? maxMs : idleMs);
  }
}

const justStarted = new Set<Deadline>();

function armSoon(deadline: Deadline): void {
  if (justStarted.size === 0) setImmediate(armThoseStillRunning);
  justStarted.add(deadline);
}

function armThoseStillRunning(): void {
  for (const deadline of justStarted) deadline.arm();
  justStarted.clear();
}
