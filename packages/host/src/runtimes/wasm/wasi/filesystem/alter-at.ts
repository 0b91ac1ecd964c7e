import {
  type BigIntStats,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import type { Directory } from './directory.ts';
import { fail } from './error-code.ts';
import { IS_LINK, type Place, readLink, resolveAt } from './resolve-at.ts';

/** A place by a path, from a directory that the guest holds. */
export interface PathAt {
  readonly base: Directory;
  readonly path: string;
}

export function createDirectoryAt(at: PathAt): void {
  changeAt(at, (place) => mkdirSync(pathOf(place)));
}

export function removeDirectoryAt(at: PathAt): void {
  changeAt(at, (place) => {
    assertMovable(place);
    rmdirSync(pathOf(place));
  });
}

export function unlinkFileAt(at: PathAt): void {
  changeAt(at, (place) => {
    if (assertMovable(place)?.isDirectory()) fail('is-directory');
    if (place.mustBeDirectory) fail('not-directory');
    unlinkSync(pathOf(place));
  });
}

/** A link may say anything but an absolute path: whoever follows it through this file layer stays in the root. */
export function symlinkAt(target: string, at: PathAt): void {
  if (target.startsWith('/')) fail('not-permitted');
  changeAt(at, (place) => {
    assertNewFile(place);
    symlinkSync(target, pathOf(place));
  });
}

/**
 * A second name for a regular file, or for a link itself, within one root: one for a file of a read-only root in another
 * would make it writable.
 */
export function linkAt(from: PathAt & { readonly follow: boolean }, to: PathAt): void {
  if (from.base.root !== to.base.root) fail('cross-device');
  changeAt(from, (source) => {
    const stats = lookAt(source) ?? fail('no-entry');
    if (stats.isSymbolicLink() && (from.follow || source.mustBeDirectory)) return IS_LINK;
    if (source.mustBeDirectory) fail('not-directory');
    if (!stats.isFile() && !stats.isSymbolicLink()) fail('not-permitted');
    return changeAt(to, (place) => {
      assertNewFile(place);
      linkSync(pathOf(source), pathOf(place));
    });
  });
}

export function renameAt(from: PathAt, to: PathAt): void {
  changeAt(from, (source) => {
    const stats = assertMovable(source) ?? fail('no-entry');
    if (source.mustBeDirectory && !stats.isDirectory()) fail('not-directory');
    changeAt(to, (place) => {
      assertMovable(place);
      if (place.mustBeDirectory && !stats.isDirectory()) fail('not-directory');
      renameSync(pathOf(source), pathOf(place));
    });
  });
}

/** What a relative link says; an absolute one is the host's own business, by the spec. */
export function readLinkAt({ base, path }: PathAt): string {
  return resolveAt(base, path, ({ directory, name }) => {
    const target = readLink(directory, name) ?? fail('invalid');
    return target.startsWith('/') ? fail('not-permitted') : target;
  });
}

/** Resolves the place and changes it, unless it is read-only. The last name is never followed by the system. */
function changeAt<T>({ base, path }: PathAt, change: (place: Place) => T | typeof IS_LINK): T {
  return resolveAt(base, path, (place) => {
    if (place.directory.isReadOnly) fail('read-only');
    const result = change(place);
    place.directory.held.verify();
    return result;
  });
}

function pathOf({ directory, name }: Place): string {
  return directory.held.entry(name);
}

function lookAt(place: Place): BigIntStats | undefined {
  return lstatSync(pathOf(place), { bigint: true, throwIfNoEntry: false });
}

function assertMovable(place: Place): BigIntStats | undefined {
  const stats = lookAt(place);
  if (stats) place.directory.root.guards.assertMovable(stats);
  return stats;
}

/** `name/` cannot become a file. */
function assertNewFile(place: Place): void {
  if (place.mustBeDirectory) fail(lookAt(place) === undefined ? 'no-entry' : 'exist');
}
