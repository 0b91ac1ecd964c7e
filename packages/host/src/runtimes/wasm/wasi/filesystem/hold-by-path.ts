import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './error-code.ts';
import { type Held, isSameObject } from './held.ts';

/** Absent on Windows, where the bits are nothing. */
const UNFOLLOWED = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * How an object is held on to where Linux's /proc/self/fd is not: by its real path and its identity, compared before
 * and after each use. A race remains: another process that swaps a directory for a link in the instant between the look
 * and the use, and back before the second look, redirects that one use. The guest alone cannot: its own calls come one
 * after another.
 */
export function holdByPath(path: string): Held {
  const stats = lstatSync(path, { bigint: true });

  function verify(): void {
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (now === undefined) fail('no-entry');
    if (!isSameObject(now, stats)) fail('not-permitted');
    // A link is held as a link, and has no real path of its own.
    if (!stats.isSymbolicLink() && realpathSync.native(path) !== path) fail('not-permitted');
  }

  function self(): string {
    verify();
    return path;
  }

  return {
    stats,
    self,
    entry: (name) => (name === '.' ? self() : join(self(), name)),
    stat() {
      verify();
      return lstatSync(path, { bigint: true });
    },
    open(flags) {
      const fd = openSync(self(), flags | UNFOLLOWED);
      if (isSameObject(fstatSync(fd, { bigint: true }), stats)) return fd;
      closeSync(fd);
      return fail('not-permitted');
    },
    verify,
    close: () => undefined,
  };
}
