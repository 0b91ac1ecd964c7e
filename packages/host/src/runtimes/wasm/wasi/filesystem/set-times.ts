import { fstatSync, futimesSync, lstatSync, lutimesSync, utimesSync } from 'node:fs';
import type { Directory } from './directory.ts';
import { fail } from './error-code.ts';
import { type NewTimes, newTimes } from './file-times.ts';
import type { PathFlags } from './open-at.ts';
import { IS_LINK, resolveAt } from './resolve-at.ts';

export function setFileTimes(fd: number, times: NewTimes): void {
  const { access, modification } = newTimes(times, fstatSync(fd, { bigint: true }));
  futimesSync(fd, access, modification);
}

export function setDirectoryTimes({ held, isReadOnly }: Directory, times: NewTimes): void {
  if (isReadOnly) fail('read-only');
  const { access, modification } = newTimes(times, held.stat());
  utimesSync(held.self(), access, modification);
}

export interface TimesPlace {
  readonly base: Directory;
  readonly path: string;
  readonly pathFlags: PathFlags;
}

/** `descriptor.set-times-at`. The system follows no link: one that takes the file's place gets the times itself. */
export function setTimesAt({ base, path, pathFlags }: TimesPlace, times: NewTimes): void {
  resolveAt(base, path, ({ directory, name, mustBeDirectory }) => {
    if (directory.isReadOnly) fail('read-only');
    const entry = directory.held.entry(name);
    const stats = lstatSync(entry, { bigint: true, throwIfNoEntry: false }) ?? fail('no-entry');
    if (stats.isSymbolicLink() && (pathFlags.symlinkFollow || mustBeDirectory)) return IS_LINK;
    if (mustBeDirectory && !stats.isDirectory()) fail('not-directory');
    // The times of a read-only root are its own, whichever way it is reached.
    if (directory.root.guards.isReadOnly(stats)) fail('read-only');
    const { access, modification } = newTimes(times, stats);
    lutimesSync(entry, access, modification);
    directory.held.verify();
    return undefined;
  });
}
