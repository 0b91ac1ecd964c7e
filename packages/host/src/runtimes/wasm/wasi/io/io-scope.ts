import { createWakeSignal, type WakeSignal } from './wake-signal.ts';

/** More streams and pollables than a program has use for: what a loop that never drops them runs into. */
const MAX_IO_HANDLES = 4096;

/** What the streams and pollables of one instance share. */
export interface IoScope {
  readonly wake: WakeSignal;
  readonly handles: HandleCount;
}

/** Counts what a guest holds open. */
export interface HandleCount {
  /** @throws Error, which is a trap in the guest, when it holds too many. */
  add(): void;
  remove(): void;
}

/** `wake` is the host link's: its counter rises whenever something arrives for this instance. */
export function createIoScope(wake: SharedArrayBuffer): IoScope {
  let held = 0;
  return {
    wake: createWakeSignal(wake),
    handles: {
      add() {
        if (held >= MAX_IO_HANDLES)
          throw new Error(`the plugin holds ${MAX_IO_HANDLES} streams and pollables open; it must drop them after use`);
        held += 1;
      },
      remove() {
        held -= 1;
      },
    },
  };
}
