/** Something that is to be told when its time is over. Linked to its neighbours, so that it comes and goes for nothing. */
export interface Timed {
  previous: Timed | undefined;
  next: Timed | undefined;
  /** How long it has at `nowMs`; 0 or less when its time is over. */
  remainingMs(nowMs: number): number;
  expire(): void;
}

/** Half a millisecond early is in time: timers count whole ones. */
const TOLERANCE_MS = 0.5;

let first: Timed | undefined;
let timer: NodeJS.Timeout | undefined;
let dueAtMs = Number.POSITIVE_INFINITY;

/**
 * Watches one more. All share one timer, set for the one whose time ends first: calls come and go by the ten thousand,
 * and nearly all end long before their time. While none is watched the timer does not keep the process.
 */
export function watch(timed: Timed, nowMs: number): void {
  if (first) first.previous = timed;
  else timer?.ref();
  timed.next = first;
  timed.previous = undefined;
  first = timed;
  const endsAtMs = nowMs + timed.remainingMs(nowMs);
  if (endsAtMs < dueAtMs) setTimer(endsAtMs, nowMs);
}

export function unwatch(timed: Timed): void {
  if (timed.previous) timed.previous.next = timed.next;
  else if (first === timed) first = timed.next;
  if (timed.next) timed.next.previous = timed.previous;
  timed.previous = timed.next = undefined;
  if (!first) timer?.unref();
}

function setTimer(endsAtMs: number, nowMs: number): void {
  clearTimeout(timer);
  dueAtMs = endsAtMs;
  timer = setTimeout(look, Math.max(1, endsAtMs - nowMs));
}

function look(): void {
  const nowMs = performance.now();
  timer = undefined;
  dueAtMs = Number.POSITIVE_INFINITY;
  let soonest = Number.POSITIVE_INFINITY;
  const over: Timed[] = [];
  for (let one = first; one; one = one.next) {
    const remaining = one.remainingMs(nowMs);
    if (remaining <= TOLERANCE_MS) over.push(one);
    else soonest = Math.min(soonest, remaining);
  }
  if (soonest < Number.POSITIVE_INFINITY) setTimer(nowMs + soonest, nowMs);
  for (const one of over) one.expire();
}
