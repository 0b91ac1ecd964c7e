import { type BigIntStats, lstatSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { fail } from './error-code.ts';
import type { PathFlags } from './open-at.ts';
import { IS_LINK, resolveAt } from './resolve-at.ts';

/** `descriptor.stat-at`. Nothing is opened: a FIFO or a device may be looked at. */
export function statAt(base: Directory, path: string, { symlinkFollow = false }: PathFlags): BigIntStats {
  return resolveAt(base, path, ({ directory, name, mustBeDirectory }) => {
    const entry = directory.held.entry(name);
    const stats = lstatSync(entry, { bigint: true, throwIfNoEntry: false }) ?? fail('no-entry');
    if (stats.isSymbolicLink() && (symlinkFollow || mustBeDirectory)) return IS_LINK;
    return mustBeDirectory && !stats.isDirectory() ? fail('not-directory') : stats;
  });
}
