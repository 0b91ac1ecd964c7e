/** What a guest may leave lying in the worker's own memory, which its memory cap does not count. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** Counts the bytes of header fields and of bodies whose request was not sent yet. */
export interface ByteBudget {
  /** Bytes that may still be taken. */
  readonly left: number;
  /** @throws Error, which is a trap in the guest, when that is too much. */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createByteBudget(): ByteBudget {
  let held = 0;
  return {
    get left() {
      return MAX_HELD_BYTES - held;
    },
    take(bytes) {
      if (held + bytes > MAX_HELD_BYTES)
        throw new Error(`the plugin holds ${MAX_HELD_BYTES} bytes of HTTP fields and unsent bodies; it must drop them`);
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
