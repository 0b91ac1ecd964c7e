import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { outsideRoots } from './fs/files.ts';

const MAX_LINKS = 40;

/**
 * Confines a path to the roots by its real path, so that no link leads out; relative paths start in the first root.
 * What does not exist yet is judged by where it would come to be.
 * @throws FileError that names the path and the roots when it lies outside.
 */
export async function resolveInRoots(roots: readonly string[], path: string): Promise<string> {
  const [first] = roots;
  if (first === undefined) throw outsideRoots(roots, path);
  const real = await realPathOf(resolve(first, path), MAX_LINKS);
  for (const root of roots) {
    const realRoot = await realpath(root);
    if (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return real;
  }
  throw outsideRoots(roots, path);
}

async function realPathOf(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path || linksLeft === 0) throw error;
  }
  const parent = await realPathOf(dirname(path), linksLeft - 1);
  const place = join(parent, basename(path));
  // A link whose target does not exist: whoever writes to it creates the target.
  const target = await readlink(place).catch(() => undefined);
  return target === undefined ? place : realPathOf(resolve(parent, target), linksLeft - 1);
}
