import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { assertRegularFile } from './open-confined.ts';
import { openParent, type ParentDirectory } from './open-parent.ts';
import { errorCode, fileFailure, ToolFailure } from './tool-failure.ts';

const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

export interface Replacement {
  /** A real path that was checked; its missing parents are made. */
  target: string;
  content: Uint8Array;
  /** The path in messages. */
  shown: string;
  /** What the file held when it was read; when it holds something else now, nothing is written. */
  expected?: Uint8Array;
  abortSignal: AbortSignal;
}

/**
 * Puts `content` in the place of a file, whole or not at all: a temporary file in the same directory takes its name.
 * Mode and owner stay; a file with further hard links, or whose owner this process cannot give, is overwritten in
 * place instead, after the new content reached the disk beside it.
 * @throws ToolFailure for a read-only file, for anything but a regular file, and when the file changed.
 */
export async function replaceFile(replacement: Replacement): Promise<void> {
  const { target, shown } = replacement;
  try {
    const parent = await openParent(target, shown);
    try {
      await replaceIn(parent, basename(target), replacement);
    } finally {
      await parent.close();
    }
  } catch (error) {
    throw fileFailure(error, shown);
  }
}

async function replaceIn(parent: ParentDirectory, name: string, replacement: Replacement): Promise<void> {
  const place = parent.entry(name);
  const former = await currentFile(place, replacement.shown);
  const draft = parent.entry(`.toolpost-${crypto.randomUUID()}.tmp`);
  try {
    const keepsIdentity = await writeDraft(draft, replacement.content, former);
    await assertUnchanged(place, replacement);
    replacement.abortSignal.throwIfAborted();
    if (keepsIdentity) return await rename(draft, place);
    await overwrite(place, replacement.content);
    await unlink(draft);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** The file that stands there, if it may be replaced: a rename would also replace a read-only one. */
async function currentFile(place: string, shown: string): Promise<Stats | undefined> {
  let stats: Stats;
  try {
    stats = await lstat(place);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  assertRegularFile(stats, shown);
  // The mode is asked too: to root, every file is accessible for writing.
  const isWritable =
    (stats.mode & 0o222) !== 0 &&
    (await access(place, constants.W_OK).then(
      () => true,
      () => false,
    ));
  if (!isWritable)
    throw new ToolFailure(`${shown} is read-only and was not changed; make it writable first (chmod u+w)`);
  return stats;
}

/** Whether the draft is all that the former file was, so that it can take its name. */
async function writeDraft(draft: string, content: Uint8Array, former: Stats | undefined): Promise<boolean> {
  const handle = await open(draft, CREATE, former === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    const keepsIdentity = former === undefined || (former.nlink === 1 && (await takeOver(handle, former)));
    await handle.datasync();
    return keepsIdentity;
  } finally {
    await handle.close();
  }
}

async function takeOver(handle: FileHandle, former: Stats): Promise<boolean> {
  const made = await handle.stat();
  try {
    // Before the mode: a change of owner clears the set-id bits.
    if (made.uid !== former.uid || made.gid !== former.gid) await handle.chown(former.uid, former.gid);
  } catch (error) {
    if (errorCode(error) === 'EPERM') return false;
    throw error;
  }
  await handle.chmod(former.mode & 0o7777);
  return true;
}

async function assertUnchanged(place: string, { expected, shown }: Replacement): Promise<void> {
  if (expected === undefined) return;
  let current: Buffer | undefined;
  try {
    current = await readFile(place, { flag: constants.O_RDONLY | NO_FOLLOW });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (current?.equals(expected)) return;
  throw new ToolFailure(`${shown} changed on disk while it was edited and was left as it is now; read it again`);
}

async function overwrite(place: string, content: Uint8Array): Promise<void> {
  const handle = await open(place, constants.O_WRONLY | NO_FOLLOW);
  try {
    await handle.writeFile(content);
    await handle.truncate(content.length);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
