import { isAbsolute, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { realPlace } from './confine-path.ts';
import { walkFiles } from './walk-files.ts';

export interface FindFilesOptions {
  readonly roots: readonly string[];
  /** Toolpost's home directory, which is never entered. */
  readonly homeDir: string;
  readonly limit: number;
  /** Gives up for an answer that nobody waits for any more. */
  readonly abortSignal: AbortSignal;
}

/** How long the host is held up at a time, and how long a person who types waits at most. */
const SLICE_MS = 8;
const MAX_WORK_MS = 200;

/**
 * The files below the roots whose path holds a text, whatever its case: those that begin with it first, then those whose
 * name does. What git ignores is left out, and links are not followed. In the first root paths are relative, with `/`. Of
 * many files not all are looked at.
 */
export async function findFiles(part: string, options: FindFilesOptions): Promise<string[]> {
  const wanted = part.toLowerCase();
  const found: { readonly path: string; readonly rank: number }[] = [];
  const paths = pathsOf(options, await Promise.all([...options.roots, options.homeDir].map(realPlace)));
  let sliceEnd = performance.now() + SLICE_MS;
  const end = performance.now() + MAX_WORK_MS;
  for (const path of paths) {
    if (path !== undefined) {
      const rank = rankOf(path.toLowerCase(), wanted);
      if (rank !== undefined) found.push({ path, rank });
    }
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    if (options.abortSignal.aborted || performance.now() > end) break;
    sliceEnd = performance.now() + SLICE_MS;
  }
  // Sorting is stable: of one rank they stay in the order of the walk.
  const sorted = found.sort((one, other) => one.rank - other.rank);
  return sorted.slice(0, options.limit).map(({ path }) => path);
}

/** Paths as they are shown; undefined where the walk may be interrupted. */
function* pathsOf({ roots }: FindFilesOptions, places: readonly string[]): Generator<string | undefined, void> {
  const blocked = places[roots.length] ?? '';
  const first = places[0] ?? '';
  for (const root of places.slice(0, roots.length))
    for (const path of walkFiles({ root, base: root, blocked }, () => {})) {
      if (path === undefined) yield undefined;
      else yield shownPath(first, path);
    }
}

function shownPath(first: string, path: string): string {
  const below = relative(first, path);
  const isBelow = below !== '' && !isAbsolute(below) && below.split(sep)[0] !== '..';
  return (isBelow ? below : path).replaceAll(sep, '/');
}

function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  const at = path.indexOf(wanted);
  if (at === -1) return undefined;
  return path.startsWith(wanted, path.lastIndexOf('/') + 1) ? 1 : 2;
}
