import { fail } from './error-code.ts';

/**
 * As many descriptors as a process has by default on most systems: a leak in a guest must not take all of the host's.
 * The system has at most two for each: a listing holds its directory, a file that is appended to is open twice.
 */
const MAX_OPEN = 1024;

/** Counts the files, directories and listings that a guest holds open. */
export interface HandleLimit {
  /** @throws insufficient-memory when it holds too many: WASI has no word for "too many open files". */
  add(): void;
  remove(): void;
}

export function createHandleLimit(): HandleLimit {
  let open = 0;
  return {
    add() {
      if (open >= MAX_OPEN) fail('insufficient-memory');
      open += 1;
    },
    remove() {
      open -= 1;
    },
  };
}
