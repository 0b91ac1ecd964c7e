import { readlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { type Directory, enterDirectory, type Root } from './directory.ts';
import { errnoOf, fail } from './error-code.ts';
import { splitPath } from './split-path.ts';

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;
/** Each level on the way holds a descriptor. */
const MAX_LEVELS = 256;

/** Said by the last step: the entry is a link, and has to be followed. */
export const IS_LINK = Symbol('a link to follow');

/** Where a path ends: an entry of a directory that is held while it is used. */
export interface Place {
  readonly directory: Directory;
  /** One component, never `..`; `.` when the path ends in the directory itself. */
  readonly name: string;
  /** The path ended in a slash, or the like: only a directory is meant. */
  readonly mustBeDirectory: boolean;
}

/**
 * Walks `path` from `base`, one component at a time, and does the last step. Each directory on the way is held, so that
 * `..` goes back to the one that was really come from, never above `base`; a link's text is walked in the same way, an
 * absolute one from the root if it names a place inside it. No path text is ever given to the system but that of one
 * entry of a held directory.
 * @throws not-permitted for a path or link that leads out.
 */
export function resolveAt<T>(base: Directory, path: string, lastStep: (place: Place) => T | typeof IS_LINK): T {
  const start = splitPath(path);
  if (start.isAbsolute) fail('not-permitted');
  if (path === '') fail('no-entry');
  let [floor, pending, mustBeDirectory, links] = [base, start.names, start.mustBeDirectory, 0];
  /** The directories below `floor` that were entered, the deepest last. */
  let trail: Directory[] = [];
  const here = () => trail.at(-1) ?? floor;

  function follow(name: string): void {
    links += 1;
    if (links > MAX_LINKS) fail('loop');
    const target = readLink(here(), name);
    // Something else has taken the link's place: look again.
    if (target === undefined) pending.unshift(name);
    else followText(target);
  }

  function followText(target: string): void {
    const link = splitPath(target);
    const names = link.isAbsolute ? namesInRoot(link.names, here().root) : link.names;
    if (pending.length === 0) mustBeDirectory ||= link.mustBeDirectory;
    pending = [...names, ...pending];
    if (!link.isAbsolute) return;
    floor = here().root.directory;
    closeAll(trail);
    trail = [];
  }

  try {
    for (;;) {
      const name = pending.shift();
      if (name === '..') (trail.pop() ?? fail('not-permitted')).held.close();
      else if (name === undefined || pending.length === 0) {
        const result = lastStep({ directory: here(), name: name ?? '.', mustBeDirectory });
        if (result !== IS_LINK) return result;
        follow(name ?? '.');
      } else {
        if (trail.length >= MAX_LEVELS) fail('name-too-long');
        const child = enterDirectory(here(), name);
        if (child === undefined) follow(name);
        else trail.push(child);
      }
    }
  } finally {
    closeAll(trail);
  }
}

/** What a link says; undefined when it is none any more. */
export function readLink({ held }: Directory, name: string): string | undefined {
  try {
    const target = readlinkSync(held.entry(name));
    return sep === '/' ? target : target.replaceAll(sep, '/');
  } catch (error) {
    if (errnoOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

/** The way from the root to an absolute path inside it. Its text alone decides: `..` before the root's end is no match. */
function namesInRoot(names: readonly string[], { path, spellings }: Root): string[] {
  for (const spelling of [path, ...spellings]) {
    const root = splitPath(spelling).names;
    if (root.every((name, index) => names[index] === name)) return names.slice(root.length);
  }
  return fail('not-permitted');
}

function closeAll(directories: readonly Directory[]): void {
  for (const { held } of directories) held.close();
}
