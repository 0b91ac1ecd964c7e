import type { IoScope } from './io-scope.ts';

/** Something that a guest may wait for. */
export interface Waitable {
  /**
   * Never blocks. What failed or ended is ready too: the operation then says so. What is fed by the host link polls the
   * link in here: nobody else does while the guest waits.
   */
  isReady(): boolean;
  /** For what becomes ready by time alone: the milliseconds until then. */
  msUntilReady?(): number;
}

/** The resource `pollable` of wasi:io. */
export class Pollable {
  readonly #scope: IoScope;
  readonly #waitable: Waitable;
  #isDropped = false;

  constructor(scope: IoScope, waitable: Waitable) {
    scope.handles.add();
    this.#scope = scope;
    this.#waitable = waitable;
  }

  ready(): boolean {
    return this.#waitable.isReady();
  }

  block(): void {
    Pollable.waitForAny([this]);
  }

  [Symbol.dispose](): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#scope.handles.remove();
  }

  /** Blocks until one of `pollables`, of one scope, is ready. */
  static waitForAny(pollables: readonly Pollable[]): void {
    const [first] = pollables;
    if (first === undefined) throw new Error('poll was called with an empty list');
    const isReady = () => pollables.some((one) => one.ready());
    // A timer may be a little early by the clock that it is measured with, so this looks again.
    while (!first.#scope.wake.waitUntil(isReady, Pollable.#msUntilFirst(pollables)));
  }

  static #msUntilFirst(pollables: readonly Pollable[]): number {
    return Math.min(...pollables.map((one) => one.#waitable.msUntilReady?.() ?? Number.POSITIVE_INFINITY));
  }
}

/** `wasi:io/poll.poll`: blocks, then gives the indices of all that are ready. An empty list is a trap, by the spec. */
export function poll(pollables: readonly Pollable[]): Uint32Array {
  Pollable.waitForAny(pollables);
  return Uint32Array.from([...pollables.keys()].filter((index) => pollables[index]?.ready()));
}
