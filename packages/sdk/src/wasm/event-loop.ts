import call from 'toolpost:plugin/call@0.1.0';
import log from 'toolpost:plugin/log@0.1.0';
import { errorMessage } from '../results/to-tool-result.ts';
import { dropJobs, GuestPromise, runJobs } from './guest-promise.ts';

/** Waiting ends early when the call is cancelled, so that this bounds nothing but how long the host holds one wait. */
const LONGEST_WAIT_MS = 60_000;

interface Timer {
  dueAt: number;
  readonly run: () => void;
  /** Milliseconds; absent for a timer that runs once. */
  readonly interval?: number;
}

const timers = new Map<number, Timer>();
let lastTimerId = 0;

/** `setTimeout` and `setInterval` of a component. Timers run while a call waits, and end with it. */
export function addTimer(run: () => void, ms: number, kind: 'once' | 'repeated'): number {
  const delay = Math.max(0, Number.isFinite(ms) ? ms : 0);
  lastTimerId += 1;
  timers.set(lastTimerId, {
    dueAt: performance.now() + delay,
    run,
    ...(kind === 'repeated' && { interval: Math.max(1, delay) }),
  });
  return lastTimerId;
}

export function removeTimer(id: unknown): void {
  if (typeof id === 'number') timers.delete(id);
}

/**
 * Waits for what a tool gave: runs jobs and timers until it is settled.
 * @throws what it was rejected with.
 */
export function waitFor(value: PromiseLike<unknown>, onCancel: () => void): unknown {
  const promise = GuestPromise.resolve(value);
  const settled = promise.then();
  settled.catch(() => {});
  for (;;) {
    runJobs(warn);
    if (promise.state === 'fulfilled') return promise.value;
    if (promise.state === 'rejected') throw promise.value;
    if (call.wait(untilNextTimer())) onCancel();
    runDueTimers();
  }
}

/** Ends what a call leaves behind: nothing of a component runs between its calls. */
export function endLeftovers(): void {
  runJobs(warn);
  timers.clear();
  for (const reason of dropJobs()) warn(`a promise was rejected and nobody took it: ${errorMessage(reason)}`);
}

/** Milliseconds, rounded up: a wait that ends too early would be waited again. */
function untilNextTimer(): number {
  let dueAt = performance.now() + LONGEST_WAIT_MS;
  for (const timer of timers.values()) dueAt = Math.min(dueAt, timer.dueAt);
  return Math.max(0, Math.ceil(dueAt - performance.now()));
}

function runDueTimers(): void {
  const now = performance.now();
  const due = [...timers].filter(([, { dueAt }]) => dueAt <= now).sort(([, a], [, b]) => a.dueAt - b.dueAt);
  for (const [id, timer] of due) {
    // An earlier one may have cleared it.
    if (!timers.has(id)) continue;
    if (timer.interval === undefined) timers.delete(id);
    else timer.dueAt = now + timer.interval;
    try {
      timer.run();
    } catch (error) {
      warn(`a timer failed: ${errorMessage(error)}`);
    }
    runJobs(warn);
  }
}

function warn(message: string): void {
  log.write('warn', message);
}
