import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { sep } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import { resolveInRoots } from '../resolve-in-roots.ts';
import { FileError, type FileErrorCode, type Files, type FilesContext, fileError } from './files.ts';

export {
  type DirectoryEntry,
  FileError,
  type FileErrorCode,
  type FileStat,
  type Files,
  type FilesContext,
} from './files.ts';

const CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: 'not-found',
  EEXIST: 'exists',
  EISDIR: 'is-directory',
  ENOTDIR: 'not-directory',
  ENOTEMPTY: 'not-empty',
  EACCES: 'not-permitted',
  EPERM: 'not-permitted',
  EROFS: 'read-only',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  ELOOP: 'too-many-links',
  ENAMETOOLONG: 'name-too-long',
  EXDEV: 'cross-device',
};

/** What a path has to which nothing is. */
const ABSENT: readonly FileErrorCode[] = ['not-found', 'not-directory'];

/**
 * The files of a call. In a process they are checked by their real paths: for what a tool touches by mistake, since its
 * code has the rights of the user. In a component the sandbox holds them.
 */
export function openFiles(context: FilesContext): Files {
  const reading = <T>(action: string, path: string, work: (real: string) => Promise<T>): Promise<T> =>
    attempt(action, path, async () => work(await resolveInRoots(context.roots, path)));
  const changing = <T>(action: string, path: string, work: (real: string) => Promise<T>): Promise<T> =>
    attempt(action, path, async () => work(await resolveWritable(context, action, path)));

  return {
    readTextFile: (path) => reading('read', path, (real) => readFile(real, 'utf8')),
    readFile: (path) => reading('read', path, async (real) => new Uint8Array(await readFile(real))),
    writeTextFile: (path, text) => changing('write', path, (real) => writeFile(real, text)),
    writeFile: (path, bytes) => changing('write', path, (real) => writeFile(real, bytes)),
    appendTextFile: (path, text) => changing('append to', path, (real) => appendFile(real, text)),
    mkdir: (path, { recursive = false } = {}) =>
      changing('make the directory', path, async (real) => void (await mkdir(real, { recursive }))),
    readDir: (path) => reading('list', path, listDirectory),
    stat: (path) => reading('look at', path, statOf),
    exists: (path) =>
      reading('look at', path, stat).then(
        () => true,
        (error: unknown) => {
          if (error instanceof FileError && ABSENT.includes(error.code)) return false;
          throw error;
        },
      ),
    remove: (path, { recursive = false } = {}) => changing('remove', path, (real) => removeAt(real, recursive)),
    rename: (from, to) =>
      changing('rename', from, (real) =>
        attempt('rename to', to, async () => rename(real, await resolveWritable(context, 'rename to', to))),
      ),
  };
}

async function listDirectory(real: string) {
  const entries = await readdir(real, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, isFile: entry.isFile(), isDirectory: entry.isDirectory() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function statOf(real: string) {
  const stats = await stat(real);
  const { size, mtimeMs } = stats;
  return { isFile: stats.isFile(), isDirectory: stats.isDirectory(), size, modifiedAt: Math.floor(mtimeMs) };
}

async function removeAt(real: string, recursive: boolean): Promise<void> {
  if (recursive) return rm(real, { recursive });
  const { isDirectory } = await statOf(real);
  await (isDirectory ? rmdir(real) : unlink(real));
}

/** @throws FileError for a root that is read-only. */
async function resolveWritable({ roots, session }: FilesContext, action: string, path: string): Promise<string> {
  const real = await resolveInRoots(roots, path);
  for (const root of session?.readOnlyRoots ?? []) {
    const realRoot = await realpath(root);
    if (real === realRoot || real.startsWith(realRoot + sep)) {
      throw fileError(action, path, { code: 'read-only', detail: '' });
    }
  }
  return real;
}

async function attempt<T>(action: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    // What has no code of the system says it all by itself.
    if (code === undefined) throw error;
    const detail = messageOf(error);
    throw fileError(action, path, { code, detail, cause: error });
  }
}

function codeOf(error: unknown): FileErrorCode | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return CODES[String(error.code)] ?? 'other';
}
