import { lstatSync } from 'node:fs';

const tails = new Map<string, Promise<unknown>>();

/** Runs `task` when every earlier task for the same file has ended: changes of one file never interleave. */
export async function queueByPath<T>(path: string, task: () => Promise<T>): Promise<T> {
  const key = keyOf(path);
  const before = tails.get(key);
  const mine = before === undefined ? task() : before.then(task, task);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}

/** A file with several hard links is one file under all of its names, and is written in place. */
function keyOf(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isFile() && stats.nlink > 1n ? `${stats.dev}:${stats.ino}` : path;
  } catch {
    // The task says what is wrong with it.
    return path;
  }
}
