import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type IgnoreRules, isIgnored, parseIgnoreRules } from './ignore-rules.ts';
import { createKernelCheck, type KernelCheck } from './kernel-file-systems.ts';
import { outerIgnoreRules } from './outer-ignore-rules.ts';
import { readIgnoreFile } from './read-ignore-file.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const READ_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | NO_FOLLOW;

export interface WalkOptions {
  /** The real path of the granted root: its `.gitignore` files count, and those of the repository around it. */
  root: string;
  /** The real path of the directory to walk, in the root. */
  base: string;
  /** A directory that is never entered. */
  blocked: string;
}

/** Called for each directory that the walk came to and could not read, as whoever searches has to be told. */
type OnUnreadable = () => void;

/**
 * Walks the regular files that git would not ignore, sorted by path. Links are not followed, so that the walk stays
 * below `base`. Synchronous in small steps: yields a path, or undefined after a directory was read, where it may wait.
 */
export function* walkFiles(options: WalkOptions, onUnreadable: OnUnreadable): Generator<string | undefined, void> {
  const { root, base } = options;
  const frames = outerIgnoreRules(root);
  const walk = { ...options, onUnreadable, isKernels: createKernelCheck() };
  let directory = root;
  for (const part of relative(root, base).split(sep).filter(Boolean)) {
    frames.push(...(readDirectory(directory, walk)?.rules ?? []));
    directory = join(directory, part);
  }
  yield* visit(base, frames, walk);
}

interface Walk extends WalkOptions {
  readonly onUnreadable: OnUnreadable;
  readonly isKernels: KernelCheck;
}

function* visit(directory: string, outer: readonly IgnoreRules[], options: Walk): Generator<string | undefined, void> {
  const listed = readDirectory(directory, options);
  yield undefined;
  if (listed === undefined) return options.onUnreadable();
  const frames = listed.rules.length > 0 ? [...outer, ...listed.rules] : outer;
  const prefix = prefixOf(options.root, directory);
  for (const entry of listed.entries) {
    const path = join(directory, entry.name);
    if (entry.name === '.git' || path === options.blocked) continue;
    const isDirectory = entry.isDirectory();
    if (!isDirectory && !entry.isFile()) continue;
    if (isIgnored(frames, prefix + entry.name, isDirectory)) continue;
    if (isDirectory) yield* visit(path, frames, options);
    else yield path;
  }
}

interface ListedDirectory {
  readonly entries: readonly Dirent[];
  /** Of its own `.gitignore`. */
  readonly rules: readonly IgnoreRules[];
}

/** Nothing for what cannot be read, for a directory that a link replaced meanwhile, and for the kernel's own. */
function readDirectory(directory: string, walk: Walk): ListedDirectory | undefined {
  try {
    return process.platform === 'linux' ? readByDescriptor(directory, walk) : readByPath(directory, walk.root);
  } catch {
    return undefined;
  }
}

/** Everything goes through the open descriptor, whose own path was checked: no swap can redirect it. */
function readByDescriptor(directory: string, { root, isKernels }: Walk): ListedDirectory | undefined {
  const fd = openSync(directory, READ_DIRECTORY);
  try {
    const place = `/proc/self/fd/${fd}`;
    if (readlinkSync(place) !== directory || isKernels(place, fstatSync(fd).dev)) return undefined;
    return list(place, prefixOf(root, directory));
  } finally {
    closeSync(fd);
  }
}

function readByPath(directory: string, root: string): ListedDirectory | undefined {
  const isInPlace = (): boolean => realpathSync.native(directory) === directory;
  const listed = isInPlace() ? list(directory, prefixOf(root, directory)) : undefined;
  return isInPlace() ? listed : undefined;
}

function list(place: string, prefix: string): ListedDirectory {
  const entries = sorted(readdirSync(place, { withFileTypes: true }));
  const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
  const text = hasRules ? readIgnoreFile(`${place}/.gitignore`) : undefined;
  return { entries, rules: text === undefined ? [] : [parseIgnoreRules(text, { prefix })] };
}

/** As the whole paths are. */
function sorted(entries: readonly Dirent[]): Dirent[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ entry }) => entry);
}

function prefixOf(root: string, directory: string): string {
  const path = relative(root, directory).replaceAll(sep, '/');
  return path === '' ? '' : `${path}/`;
}
