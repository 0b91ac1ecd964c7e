const tails = new Map<string, Promise<unknown>>();

/** Runs `task` when every earlier task for the same path has ended: changes of one file never interleave. */
export async function queueByPath<T>(path: string, task: () => Promise<T>): Promise<T> {
  const before = tails.get(path);
  const mine = before === undefined ? task() : before.then(task, task);
  tails.set(path, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(path) === mine) tails.delete(path);
  }
}
