// `@toolpost/sdk/fs` inside a component.
import type { Descriptor } from 'wasi:filesystem/types@0.2.12';
import {
  type FileErrorCode,
  type FileFailure,
  type Files,
  type FilesContext,
  fileError,
  outsideRoots,
} from '../fs/files.ts';
import {
  appendFileAt,
  listAt,
  makeDirectoryAt,
  readFileAt,
  removeAt,
  statAt,
  wasiCode,
  writeFileAt,
} from './descriptors.ts';
import { isBelow } from './place-in-roots.ts';
import { placeOf, preopenedAt } from './preopened.ts';

export {
  type DirectoryEntry,
  FileError,
  type FileErrorCode,
  type FileStat,
  type Files,
  type FilesContext,
} from '../fs/files.ts';

const CODES: Readonly<Record<string, FileErrorCode>> = {
  'no-entry': 'not-found',
  exist: 'exists',
  'is-directory': 'is-directory',
  'not-directory': 'not-directory',
  'not-empty': 'not-empty',
  access: 'not-permitted',
  'read-only': 'read-only',
  'insufficient-space': 'no-space',
  quota: 'no-space',
  loop: 'too-many-links',
  'name-too-long': 'name-too-long',
  'cross-device': 'cross-device',
};

/** The files of a call, through wasi:filesystem: the same functions as in a process, held by the sandbox. */
export function openFiles({ roots, session }: FilesContext): Files {
  const readOnlyRoots = session?.readOnlyRoots ?? [];
  const at = <T>(action: string, path: string, work: (dir: Descriptor, name: string) => T): T => {
    const place = placeOf(roots, path);
    const dir = preopenedAt(place.root);
    if (!dir) throw outsideRoots(roots, path);
    try {
      return work(dir, place.relative);
    } catch (error) {
      // The sandbox's own word for a link that leads out, or for a root that is read-only.
      const isHeld = wasiCode(error) === 'not-permitted';
      if (isHeld && !readOnlyRoots.some((root) => isBelow(place.absolute, root))) throw outsideRoots(roots, path);
      throw asFileError(error, action, path);
    }
  };
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

  return {
    readTextFile: async (path) => new TextDecoder().decode(at('read', path, readFileAt)),
    readFile: async (path) => at('read', path, readFileAt),
    writeTextFile: async (path, text) => at('write', path, (dir, name) => writeFileAt(dir, name, encode(text))),
    writeFile: async (path, bytes) => at('write', path, (dir, name) => writeFileAt(dir, name, bytes)),
    appendTextFile: async (path, text) => at('append to', path, (dir, name) => appendFileAt(dir, name, encode(text))),
    mkdir: async (path, { recursive = false } = {}) =>
      at('make the directory', path, (dir, name) => makeDirectoryAt(dir, name, recursive)),
    readDir: async (path) => at('list', path, listAt),
    stat: async (path) => at('look at', path, statAt),
    exists: async (path) => at('look at', path, existsAt),
    remove: async (path, { recursive = false } = {}) =>
      at('remove', path, (dir, name) => removeAt(dir, name, recursive)),
    rename: async (from, to) =>
      at('rename', from, (dir, name) => at('rename to', to, (newDir, newName) => dir.renameAt(name, newDir, newName))),
  };
}

function existsAt(dir: Descriptor, name: string): boolean {
  try {
    statAt(dir, name);
    return true;
  } catch (error) {
    if (wasiCode(error) === 'no-entry' || wasiCode(error) === 'not-directory') return false;
    throw error;
  }
}

function asFileError(error: unknown, action: string, path: string): unknown {
  const code = wasiCode(error);
  if (code === undefined) return error;
  const failure: FileFailure = {
    code: code === 'not-permitted' ? 'read-only' : (CODES[code] ?? 'other'),
    detail: code,
    cause: error,
  };
  return fileError(action, path, failure);
}
