import preopens from 'wasi:filesystem/preopens@0.2.12';
import type { Descriptor } from 'wasi:filesystem/types@0.2.12';
import { type Place, placeInRoots } from './place-in-roots.ts';

/** From the start of the instance to its end. */
let directories: readonly (readonly [Descriptor, string])[] | undefined;

function allPreopened(): readonly (readonly [Descriptor, string])[] {
  directories ??= preopens.getDirectories();
  return directories;
}

/** Each root is preopened at its own path; nothing for one that could not be opened. */
export function preopenedAt(root: string): Descriptor | undefined {
  return allPreopened().find(([, path]) => path === root)?.[0];
}

/**
 * The place of a path in the roots, also where it names a root by another of its spellings.
 * @throws FileError that names the path and the roots when it lies outside.
 */
export function placeOf(roots: readonly string[], path: string): Place {
  return placeInRoots(roots, path, spellingsOf(roots));
}

/** A root is followed by its other spellings, and `.` is the first root. */
function spellingsOf(roots: readonly string[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  let root: string | undefined;
  for (const [, path] of allPreopened()) {
    if (roots.includes(path)) root = path;
    else if (root !== undefined && path !== '.') spellings.set(path, root);
  }
  return spellings;
}
