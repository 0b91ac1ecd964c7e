import { constants } from 'node:fs';
import { type FileHandle, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openChecked } from './open-confined.ts';
import { errorCode, ToolFailure } from './tool-failure.ts';

/** The directory of a file that is going to be written. */
export interface ParentDirectory {
  /** The path of an entry. On Linux it goes through the open descriptor, so that no swap of a parent can redirect it. */
  entry(name: string): string;
  close(): Promise<void>;
}

/**
 * Makes the missing parents of `target` (a real path that was checked) and opens the last one.
 * @throws ToolFailure when a directory on the way was replaced in between.
 */
export function openParent(target: string, shown: string): Promise<ParentDirectory> {
  return process.platform === 'linux' ? openByDescriptor(target, shown) : openByPath(target, shown);
}

async function openByDescriptor(target: string, shown: string): Promise<ParentDirectory> {
  const missing: string[] = [];
  let path = dirname(target);
  let handle = await openDirectory(path, shown);
  while (handle === undefined) {
    missing.unshift(basename(path));
    path = dirname(path);
    handle = await openDirectory(path, shown);
  }
  for (const name of missing) {
    path = join(path, name);
    handle = await enter(handle, name, path);
  }
  const directory = handle;
  return { entry: (name) => `/proc/self/fd/${directory.fd}/${name}`, close: () => directory.close() };

  async function enter(parent: FileHandle, name: string, child: string): Promise<FileHandle> {
    try {
      await mkdir(`/proc/self/fd/${parent.fd}/${name}`).catch(unlessCode('EEXIST'));
      const opened = await openDirectory(child, shown);
      if (opened === undefined)
        throw new ToolFailure(`${shown}: its directory was removed while it was made; try again`);
      return opened;
    } finally {
      await parent.close();
    }
  }
}

async function openDirectory(path: string, shown: string): Promise<FileHandle | undefined> {
  return openChecked(path, shown, constants.O_RDONLY | constants.O_DIRECTORY).catch(unlessCode('ENOENT'));
}

async function openByPath(target: string, shown: string): Promise<ParentDirectory> {
  const directory = dirname(target);
  await mkdir(directory, { recursive: true });
  const check = async (): Promise<void> => {
    if ((await realpath(directory)) === directory) return;
    throw new ToolFailure(`${shown}: its directory was replaced while it was written; nothing may be relied on`);
  };
  await check();
  return { entry: (name) => join(directory, name), close: check };
}

/** Swallows the error with this code and passes on every other one. */
function unlessCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (errorCode(error) !== code) throw error;
    return undefined;
  };
}
