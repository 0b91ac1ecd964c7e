import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { fail } from './error-code.ts';
import type { Held } from './held.ts';

/** Linux's O_PATH, which node:fs passes on but does not name: a descriptor that only points at the object. */
const O_PATH = 0o10000000;

/**
 * How Linux holds on to an object: by a descriptor, so that there is no path text to be resolved twice.
 * `/proc/self/fd/N` is the object itself and `/proc/self/fd/N/name` an entry of it, as in openat(2). An O_PATH
 * descriptor opens nothing: a FIFO does not block and a device does not notice.
 */
export function holdByDescriptor(path: string): Held {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  let isOpen = true;

  // The number of a closed descriptor may be another file of the host by now.
  function self(): string {
    return isOpen ? `/proc/self/fd/${fd}` : fail('bad-descriptor');
  }

  return {
    stats: statsOrClose(fd),
    self,
    entry: (name) => `${self()}/${name}`,
    stat: () => (isOpen ? fstatSync(fd, { bigint: true }) : fail('bad-descriptor')),
    open: (flags) => openSync(self(), flags),
    verify: () => undefined,
    close() {
      if (!isOpen) return;
      isOpen = false;
      closeSync(fd);
    },
  };
}

function statsOrClose(fd: number) {
  try {
    return fstatSync(fd, { bigint: true });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
