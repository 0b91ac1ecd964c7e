import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, realpathSync } from 'node:fs';
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
    // A link is held as a link, and has no real path of its own. `realpathSync` follows links and leaves the rest as it
    // is written; the native one also corrects the case, where that means nothing.
    if (!stats.isSymbolicLink() && realpathSync(path) !== path) fail('not-permitted');
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
      // Another file that was put in the way must not be emptied before it is known.
      const fd = openSync(self(), (flags & ~constants.O_TRUNC) | UNFOLLOWED);
      try {
        if (!isSameObject(fstatSync(fd, { bigint: true }), stats)) fail('not-permitted');
        if ((flags & constants.O_TRUNC) !== 0) ftruncateSync(fd);
        return fd;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    },
    verify,
    close: () => undefined,
  };
}
