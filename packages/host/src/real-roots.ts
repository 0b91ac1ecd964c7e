import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HostError, type RootSpelling } from '@toolpost/protocol';

/** Directories by their real paths, and how else the user calls them. */
export interface GivenRoots {
  readonly roots: readonly string[];
  readonly rootSpellings: readonly RootSpelling[];
}

/**
 * The roots as real paths, each once, in their order.
 * @throws HostError CONFIG_INVALID that names one that is no directory.
 */
export function realRoots(roots: readonly string[], baseDir: string): string[] {
  return [...readRoots(roots, baseDir).roots];
}

/**
 * The same with the path by which each was given, where links make that another one. A person who stands in a directory
 * by a link means relative paths as their shell shows them.
 */
export function readRoots(given: readonly string[], baseDir: string): GivenRoots {
  const shownDir = shownDirectory(baseDir);
  const roots = new Set<string>();
  const rootSpellings: RootSpelling[] = [];
  for (const text of given) {
    const path = text.replace(/^~(?=$|[/\\])/, homedir());
    const root = realRoot(resolve(baseDir, path));
    roots.add(root);
    for (const spelling of new Set([resolve(baseDir, path), resolve(shownDir, path)]))
      if (spelling !== root && leadsTo(spelling, root)) rootSpellings.push({ root, spelling });
  }
  return { roots: [...roots], rootSpellings };
}

/** Whether a path is, or leads to, the directory with that real path. */
export function leadsTo(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real;
  } catch {
    return false;
  }
}

/** The directory as the shell shows it, which keeps the links that were followed. */
function shownDirectory(directory: string): string {
  const { PWD } = process.env;
  return PWD !== undefined && resolve(PWD) === PWD && leadsTo(PWD, directory) ? PWD : directory;
}

function realRoot(path: string): string {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw new HostError('CONFIG_INVALID', `the root ${path} does not exist: give --root an existing directory`, {
      cause: error,
    });
  }
  throw new HostError('CONFIG_INVALID', `the root ${path} is not a directory`);
}
