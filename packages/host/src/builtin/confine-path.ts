import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { outputFolder, type SessionName } from '../settings/file-names.ts';
import { isInKernelFileSystem } from './kernel-file-systems.ts';
import { errorCode, fileFailure, ToolFailure } from './tool-failure.ts';

/** More links than a system follows: a chain of dangling links that never ends. */
const MAX_LINKS = 40;

export interface ConfineOptions {
  /** The file will be created or changed. */
  forWrite?: boolean;
  /** Toolpost's home directory: out of reach, even when a root contains it. */
  homeDir?: string;
  /** The session whose full-output files in the home directory may be read. */
  session?: SessionName;
  /** Roots in which nothing is created or changed. */
  readOnlyRoots?: readonly string[] | undefined;
}

/** A place inside a root: its real path, also where the file or some parents do not exist yet. */
export interface ConfinedPath {
  readonly path: string;
  readonly exists: boolean;
  /** The real path of the root that contains it. */
  readonly root: string;
}

interface Place {
  path: string;
  exists: boolean;
}

/**
 * The real path of `path` (relative ones start in the first root), when it lies in one of `roots` by the real path of
 * its deepest existing parent. `..` is taken out of the text first, as `cd` does; what is returned holds no link, and lies
 * in no file system of the kernel, which a root such as `/` contains.
 * @throws ToolFailure that names the path and the roots.
 */
export async function resolveInRoots(
  roots: readonly string[],
  path: string,
  options: ConfineOptions = {},
): Promise<ConfinedPath> {
  const [first] = roots;
  if (first === undefined) throw new ToolFailure(`${path} is refused: this session grants no directory`);
  if (path.includes('\0')) throw new ToolFailure(`${JSON.stringify(path)} is refused: a path cannot hold a NUL`);
  // Taken literally it would make a folder `~`, which somebody removes with `rm -r ~` one day.
  if (/^~(?:[\\/]|$)/.test(path)) {
    throw new ToolFailure(
      `${path} is refused: ~ is not replaced here. Give the absolute path, or ./${path} for that name`,
    );
  }
  try {
    const place = await locate(resolve(first, path), 0);
    const root = await grantingRoot(roots, place.path, options);
    if (root === undefined) throw refusal(roots, path);
    if (await isInKernelFileSystem(place.path)) {
      throw new ToolFailure(
        `${path} is refused: it lies in a file system of the kernel, such as /proc, which shows other processes. Read it with a command`,
      );
    }
    if (options.forWrite && (await isReadOnly(place.path, roots, options))) {
      throw new ToolFailure(`${path} is refused: it lies where this session may only read. Write somewhere else`);
    }
    return { ...place, root };
  } catch (error) {
    throw fileFailure(error, path);
  }
}

/** Whether `path` is `directory` or lies in it; `root-evil` does not lie in `root`. */
export function isInside(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

/** The real path of a place, also where its last parts do not exist yet. */
export async function realPlace(path: string): Promise<string> {
  return (await locate(resolve(path), 0)).path;
}

async function grantingRoot(
  roots: readonly string[],
  path: string,
  { homeDir, session, forWrite = false }: ConfineOptions,
): Promise<string | undefined> {
  const home = homeDir === undefined ? undefined : await realPlace(homeDir);
  if (home !== undefined && isInside(home, path)) return forWrite ? undefined : ownOutputs(home, path, session);
  for (const root of roots) {
    const real = await realPlace(root);
    if (isInside(real, path)) return real;
  }
  return undefined;
}

/** A root may lie in another one: the inner one counts. */
async function isReadOnly(
  path: string,
  roots: readonly string[],
  { readOnlyRoots = [] }: ConfineOptions,
): Promise<boolean> {
  if (readOnlyRoots.length === 0) return false;
  const depthIn = async (some: readonly string[]) => {
    const real = await Promise.all(some.map(realPlace));
    return Math.max(-1, ...real.filter((root) => isInside(root, path)).map(({ length }) => length));
  };
  return (await depthIn(readOnlyRoots)) >= (await depthIn(roots));
}

/** The full text of a capped result is in `cache/outputs/<session>/` of the home directory. */
function ownOutputs(home: string, path: string, session: SessionName | undefined): string | undefined {
  if (session === undefined) return undefined;
  const outputs = outputFolder(home, session);
  return path !== outputs && isInside(outputs, path) ? outputs : undefined;
}

function refusal(roots: readonly string[], path: string): ToolFailure {
  return new ToolFailure(
    `${path} is refused: it is outside what this session may touch. Use a path inside ${roots.join(' or ')}`,
  );
}

async function locate(path: string, links: number): Promise<Place> {
  const real = await unlessMissing(realpath(path));
  if (real !== undefined) return { path: real, exists: true };
  if (links > MAX_LINKS) throw new ToolFailure(`${path} cannot be reached: too many symbolic links`);

  const parent = await locate(dirname(path), links);
  const place = join(parent.path, basename(path));
  if (!parent.exists) return { path: place, exists: false };
  const target = await linkTarget(place);
  if (target !== undefined) return locate(resolve(parent.path, target), links + 1);
  const name = await existingName(parent.path, basename(path));
  if (name !== undefined) return locate(join(parent.path, name), links + 1);
  return { path: place, exists: false };
}

/**
 * The name under which the directory has the file: the one asked for, or its other Unicode normal form (an NFD name
 * asked for in NFC). Without this a write would make a twin that looks the same.
 */
async function existingName(directory: string, name: string): Promise<string | undefined> {
  const others = new Set([name.normalize('NFC'), name.normalize('NFD')]);
  others.delete(name);
  const found: string[] = [];
  for (const form of [name, ...others]) {
    if ((await unlessMissing(lstat(join(directory, form)))) === undefined) continue;
    if (form === name) return name;
    found.push(form);
  }
  if (found.length > 1) throw new ToolFailure(`${name} is not clear: ${directory} has ${found.length} names like it`);
  return found[0];
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    if (errorCode(error) === 'EINVAL' || errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function unlessMissing<T>(pending: Promise<T>): Promise<T | undefined> {
  try {
    return await pending;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
