import { PluginCrash } from '../runtime.ts';
import type { GuestRoot } from './worker-messages.ts';

/** What the pool needs of an instance. */
export interface PooledInstance {
  readonly isAlive: boolean;
  kill(): Promise<void>;
}

/** Whose instance a call needs: one key, one instance. */
export interface InstanceClaim {
  readonly key: string;
  readonly roots: readonly GuestRoot[];
}

export interface InstancePoolOptions<Instance extends PooledInstance> {
  start(claim: InstanceClaim): Promise<Instance>;
  /** More than these do not live at once, those that start included. */
  readonly maxInstances: number;
  /** One that was not needed for so long is ended. */
  readonly maxIdleMs: number;
  /** Each call gets an instance that no other has had. */
  readonly isFreshEachTime: boolean;
}

/** An instance for one call, until it is released. */
export interface Place<Instance> {
  readonly instance: Instance;
  release(): void;
}

export interface InstancePool<Instance> {
  /** The claim's instance when it is there and idle, at once. */
  take(claim: InstanceClaim): Place<Instance> | undefined;
  /**
   * Waits for the claim's instance, and starts it when there is none: an idle one of another makes room, a busy one never
   * does. In the order of asking. `onAbort` tells of a caller that gave up.
   * @throws PluginCrash when it cannot be started or the pool is closed.
   */
  wait(claim: InstanceClaim, onAbort: (listener: () => void) => () => void): Promise<Place<Instance>>;
  /** Ends all. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** One that lives or starts. */
interface Slot<Instance> {
  readonly key: string;
  instance: Instance | undefined;
  isBusy: boolean;
  /** By `performance.now`. */
  idleSince: number;
}

interface Waiter<Instance> {
  readonly claim: InstanceClaim;
  readonly place: PromiseWithResolvers<Place<Instance>>;
  isGivenUp: boolean;
}

export function createInstancePool<Instance extends PooledInstance>(
  options: InstancePoolOptions<Instance>,
): InstancePool<Instance> {
  /** By key, those used last at the end. */
  const slots = new Map<string, Slot<Instance>>();
  /** Those that were retired and whose threads still end. */
  const ending = new Set<Promise<void>>();
  const starting = new Set<Promise<void>>();
  let waiters: Waiter<Instance>[] = [];
  let isClosed = false;
  let numbered = 0;
  let sweepTimer: NodeJS.Timeout | undefined;

  function placeIn(slot: Slot<Instance>, instance: Instance): Place<Instance> {
    slot.isBusy = true;
    let isReleased = false;
    return {
      instance,
      release() {
        if (isReleased) return;
        isReleased = true;
        slot.isBusy = false;
        if (!instance.isAlive || options.isFreshEachTime) retire(slot);
        else keepIdle(slot);
        serveWaiters();
      },
    };
  }

  function keepIdle(slot: Slot<Instance>): void {
    slots.delete(slot.key);
    slots.set(slot.key, slot);
    slot.idleSince = performance.now();
    sweepTimer ??= setTimeout(sweep, options.maxIdleMs).unref();
  }

  /** One timer for all of them, and none for each call. */
  function sweep(): void {
    sweepTimer = undefined;
    const now = performance.now();
    let nextInMs = Number.POSITIVE_INFINITY;
    for (const slot of [...slots.values()]) {
      if (slot.isBusy) continue;
      const leftMs = slot.idleSince + options.maxIdleMs - now;
      if (leftMs <= 0) retire(slot);
      else nextInMs = Math.min(nextInMs, leftMs);
    }
    if (nextInMs < Number.POSITIVE_INFINITY) sweepTimer = setTimeout(sweep, nextInMs).unref();
  }

  function retire(slot: Slot<Instance>): void {
    if (slots.get(slot.key) === slot) slots.delete(slot.key);
    if (!slot.instance) return;
    const ended = slot.instance.kill().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  /** Whether there is, or could be made, room for one more. */
  function makeRoom(): boolean {
    if (slots.size < options.maxInstances) return true;
    const idle = [...slots.values()].find((slot) => !slot.isBusy);
    if (idle) retire(idle);
    return idle !== undefined;
  }

  function take({ key }: InstanceClaim): Place<Instance> | undefined {
    const slot = slots.get(key);
    if (!slot?.instance || slot.isBusy) return undefined;
    if (slot.instance.isAlive) return placeIn(slot, slot.instance);
    // It ended by itself while nobody used it.
    retire(slot);
    return undefined;
  }

  function serveWaiters(): void {
    waiters = waiters.filter((waiter) => !serve(waiter));
  }

  /** Whether the waiter has got something to wait for. */
  function serve(waiter: Waiter<Instance>): boolean {
    const { claim, place } = waiter;
    const taken = take(claim);
    if (taken) place.resolve(taken);
    if (taken) return true;
    if (slots.has(claim.key) || !makeRoom()) return false;
    const slot: Slot<Instance> = { key: claim.key, instance: undefined, isBusy: true, idleSince: 0 };
    slots.set(claim.key, slot);
    const started = fill(slot, waiter).finally(() => starting.delete(started));
    starting.add(started);
    return true;
  }

  async function fill(slot: Slot<Instance>, waiter: Waiter<Instance>): Promise<void> {
    try {
      const instance = await options.start(waiter.claim);
      slot.instance = instance;
      const place = placeIn(slot, instance);
      // What was started for one that gave up serves the next.
      if (waiter.isGivenUp || isClosed) place.release();
      if (isClosed) retire(slot);
      if (isClosed) throw closed();
      waiter.place.resolve(place);
    } catch (error) {
      if (slots.get(slot.key) === slot) slots.delete(slot.key);
      waiter.place.reject(error);
      serveWaiters();
    }
  }

  function giveUp(waiter: Waiter<Instance>): void {
    waiter.isGivenUp = true;
    waiters = waiters.filter((other) => other !== waiter);
    waiter.place.reject(new PluginCrash('The call was given up before its turn.'));
  }

  return {
    take: (claim) => (isClosed || waiters.length > 0 || options.isFreshEachTime ? undefined : take(claim)),
    async wait(claim, onAbort) {
      if (isClosed) throw closed();
      const key = options.isFreshEachTime ? `${++numbered}` : claim.key;
      const place = Promise.withResolvers<Place<Instance>>();
      const waiter: Waiter<Instance> = { claim: { ...claim, key }, place, isGivenUp: false };
      const stopListening = onAbort(() => giveUp(waiter));
      waiters.push(waiter);
      serveWaiters();
      try {
        const given = await place.promise;
        // Given up in the very moment that it was served.
        if (waiter.isGivenUp) given.release();
        return given;
      } finally {
        stopListening();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(sweepTimer);
      for (const { place } of waiters) place.reject(closed());
      waiters = [];
      for (const slot of [...slots.values()]) retire(slot);
      await Promise.all(starting);
      await Promise.all(ending);
    },
  };
}

function closed(): PluginCrash {
  return new PluginCrash('The plugin is closed.');
}
