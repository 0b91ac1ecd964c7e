import { constants, type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type IgnoreRules, isIgnored, parseIgnoreRules } from './ignore-rules.ts';

/** No rules that a person wrote are longer. */
const MAX_IGNORE_FILE_BYTES = 1_000_000;
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface WalkOptions {
  /** The real path of the granted root: the `.gitignore` files from here on count. */
  root: string;
  /** The real path of the directory to walk, in the root. */
  base: string;
  /** A directory that is never entered. */
  blocked: string;
  /** Called with each regular file, sorted by path. The walk stops when it returns false. */
  onFile(path: string): boolean;
}

/**
 * Walks the files that git would not ignore. Links are not followed, so that the walk stays below `base`. Synchronous:
 * it belongs in a worker.
 */
export function walkFiles(options: WalkOptions): void {
  const { root, base } = options;
  const frames: IgnoreRules[] = [];
  let directory = root;
  for (const part of relative(root, base).split(sep).filter(Boolean)) {
    frames.push(...readIgnoreFile(root, directory));
    directory = join(directory, part);
  }
  visit(base, frames, options);
}

function visit(directory: string, outer: readonly IgnoreRules[], options: WalkOptions): boolean {
  const entries = listDirectory(directory);
  const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
  const frames = hasRules ? [...outer, ...readIgnoreFile(options.root, directory)] : outer;
  const prefix = prefixOf(options.root, directory);
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.name === '.git' || path === options.blocked) continue;
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    if (isIgnored(frames, prefix + entry.name, isDirectory)) continue;
    if (!(isDirectory ? visit(path, frames, options) : options.onFile(path))) return false;
  }
  return true;
}

/** Sorted as the whole paths are. Empty for what cannot be read, and for a directory that a link replaced meanwhile. */
function listDirectory(directory: string): Dirent[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    if (realpathSync(directory) !== directory) return [];
    const keyed = entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }));
    return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
  } catch {
    return [];
  }
}

function readIgnoreFile(root: string, directory: string): IgnoreRules[] {
  try {
    const file = join(directory, '.gitignore');
    if (lstatSync(file).size > MAX_IGNORE_FILE_BYTES) return [];
    const text = readFileSync(file, { encoding: 'utf8', flag: constants.O_RDONLY | NO_FOLLOW });
    return [parseIgnoreRules(text, prefixOf(root, directory))];
  } catch {
    return [];
  }
}

function prefixOf(root: string, directory: string): string {
  const path = relative(root, directory).replaceAll(sep, '/');
  return path === '' ? '' : `${path}/`;
}
