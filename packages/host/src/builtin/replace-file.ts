import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { access, type FileHandle, link, lstat, open, readFile, rename, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import { copyAttributes } from './copy-attributes.ts';
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
  /** What the file held when it was read, or that there was none; when that is no longer so, nothing is written. */
  expected?: Uint8Array | 'absent' | undefined;
  abortSignal: AbortSignal;
}

/**
 * Puts `content` in the place of a file, whole or not at all: a temporary file in the same directory takes its name.
 * Mode and owner stay, and on Linux access control lists and extended attributes; a file with further hard links, one that is a mount of its own, or whose owner this process
 * cannot give, is overwritten in place instead, after the new content reached the disk beside it.
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
    const keepsIdentity = await writeDraft(draft, replacement.content, { place, former });
    await assertUnchanged(place, replacement);
    replacement.abortSignal.throwIfAborted();
    if (former === undefined) await giveNewName(draft, place, replacement.shown);
    else if (!keepsIdentity || !(await takeName(draft, place))) await overwrite(place, draft, replacement);
  } catch (error) {
    if (!(error instanceof HalfWritten)) await unlink(draft).catch(() => undefined);
    throw error;
  }
}

/** The draft holds what the file should: it is kept. */
class HalfWritten extends ToolFailure {}

/** A link fails where a rename would replace a file that another program made in the meantime. */
async function giveNewName(draft: string, place: string, shown: string): Promise<void> {
  try {
    await link(draft, place);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw appeared(shown);
    // Not every file system has hard links.
    return rename(draft, place);
  }
  await unlink(draft);
}

function appeared(shown: string): ToolFailure {
  return new ToolFailure(`${shown} was made by another program in the meantime and was left as it is; read it first`);
}

/** Whether the draft could take the name; a file that is mounted by itself (EBUSY) keeps it. */
async function takeName(draft: string, place: string): Promise<boolean> {
  try {
    await rename(draft, place);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EBUSY') return false;
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
async function writeDraft(
  draft: string,
  content: Uint8Array,
  { place, former }: { place: string; former: Stats | undefined },
): Promise<boolean> {
  const handle = await open(draft, CREATE, former === undefined ? 0o666 : 0o600);
  try {
    const takesName = former?.nlink === 1;
    await Promise.all([handle.writeFile(content), takesName && takeAttributes(handle, place, former)]);
    // The times of the former file came with its attributes.
    const now = new Date();
    if (takesName) await handle.utimes(now, now);
    const keepsIdentity = former === undefined || (takesName && (await takeOver(handle, former)));
    await handle.datasync();
    return keepsIdentity;
  } finally {
    await handle.close();
  }
}

/** What the mode does not say. A file that cannot be read, or is another one by now, gives nothing. */
async function takeAttributes(draft: FileHandle, place: string, former: Stats): Promise<void> {
  const handle = await open(place, constants.O_RDONLY | NO_FOLLOW).catch(() => undefined);
  if (handle === undefined) return;
  try {
    const { ino, dev } = await handle.stat();
    if (ino === former.ino && dev === former.dev) await copyAttributes(handle, draft);
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
  if (expected === 'absent') return assertAbsent(place, shown);
  let current: Buffer | undefined;
  try {
    current = await readFile(place, { flag: constants.O_RDONLY | NO_FOLLOW });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  if (current?.equals(expected)) return;
  throw new ToolFailure(`${shown} changed on disk while it was edited and was left as it is now; read it again`);
}

async function assertAbsent(place: string, shown: string): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats !== undefined) throw appeared(shown);
}

/** Not atomic: should it fail half way, the whole new content stays in the draft beside the file. */
async function overwrite(place: string, draft: string, { content, shown }: Replacement): Promise<void> {
  const handle = await open(place, constants.O_WRONLY | NO_FOLLOW);
  try {
    await handle.writeFile(content);
    await handle.truncate(content.length);
    await handle.datasync();
  } catch (error) {
    const reason = messageOf(error);
    throw new HalfWritten(
      `${shown} may be half written (${reason}); what it should hold is in ${basename(draft)} beside it`,
    );
  } finally {
    await handle.close();
  }
  await unlink(draft);
}
