import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { fileFailure, ToolFailure } from './tool-failure.ts';

/** Absent on Windows, where the bit is nothing. O_NONBLOCK: a FIFO that slips in must not hang the open. */
const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file at a real path that was checked, for reading, and makes sure that it is still the file at that
 * path: a link put in the way after the check is refused. `shown` is the path in messages.
 * @throws ToolFailure for anything but a regular file.
 */
export async function openConfined(path: string, shown: string): Promise<FileHandle> {
  try {
    assertRegularFile(await lstat(path), shown);
    return await openChecked(path, shown, constants.O_RDONLY);
  } catch (error) {
    throw fileFailure(error, shown);
  }
}

/** Opens `path`, which holds no link, with `flags`; the handle is where the path says. */
export async function openChecked(path: string, shown: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | NO_FOLLOW);
  try {
    if (!(await isAtPath(handle, path))) throw new ToolFailure(`${shown} was moved while it was opened; try again`);
    const isDirectory = (flags & (constants.O_DIRECTORY ?? 0)) !== 0;
    if (!isDirectory) assertRegularFile(await handle.stat(), shown);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Linux names the path of an open descriptor; elsewhere identity is compared after the open. */
async function isAtPath(handle: FileHandle, path: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/self/fd/${handle.fd}`)) === path;
  if ((await realpath(path)) !== path) return false;
  const [opened, named] = await Promise.all([handle.stat({ bigint: true }), stat(path, { bigint: true })]);
  return opened.ino === named.ino && opened.dev === named.dev;
}

export function assertRegularFile(stats: Stats, shown: string): void {
  if (stats.isFile()) return;
  throw new ToolFailure(`${shown} is ${kindOf(stats)}, not a regular file`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}
