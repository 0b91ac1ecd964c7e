import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who held it this long was killed: what is done under a lock takes milliseconds. */
const STALE_MS = 10_000;
const LONGEST_PAUSE_MS = 50;

/**
 * Does some short work on a file while no other host does any on it, in this process or another one: they see each other
 * through a file beside it, `<file>.lock`.
 * @throws what the work throws, or the file system's error where the lock cannot be made.
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  for (let round = 0; !(await tryLock(lock)); round++) {
    await removeStale(lock);
    await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** round));
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function tryLock(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', 0o600);
    await handle.close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function removeStale(lock: string): Promise<void> {
  const made = await stat(lock).catch(() => undefined);
  if (made && Date.now() - made.mtimeMs > STALE_MS) await rm(lock, { force: true });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
