import { describe, expect, test } from 'vitest';
import { createChatQueue } from './chat-queue.ts';

/** A queue whose work fails as often as `failures` says of a piece; `chat` is the first letter of a piece. */
function createWorld(failures: Readonly<Record<number, number>> = {}) {
  const left: Record<number, number> = { ...failures };
  const done: number[] = [];
  const idle: string[] = [];
  const waits: { count: number; resolve: () => void }[] = [];
  const queue = createChatQueue({
    maxAtOnce: 2,
    retryMs: 5,
    onIdle: (chatId) => void idle.push(chatId),
    async work(pk) {
      left[pk] = (left[pk] ?? 0) - 1;
      if (left[pk] >= 0) return false;
      done.push(pk);
      for (const wait of waits) if (done.length === wait.count) wait.resolve();
      return true;
    },
  });
  const until = (count: number) => new Promise<void>((resolve) => void waits.push({ count, resolve }));
  return { queue, done, idle, until };
}

describe('the queue of chats', () => {
  test('keeps a piece that fails before those that came after it in its chat, and holds up no other chat', async () => {
    const { queue, done, until } = createWorld({ 1: 3 });
    const all = until(4);
    for (const pk of [1, 2, 3]) queue.add('a', pk);
    queue.add('b', 9);
    await all;
    expect(done).toEqual([9, 1, 2, 3]);
  });

  test('says of a chat that nothing of it is left, also after a failure, and not before', async () => {
    const { queue, idle, until } = createWorld({ 2: 1 });
    const first = until(1);
    const all = until(2);
    queue.add('a', 1);
    queue.add('a', 2);
    await first;
    expect(idle).toEqual([]);
    await all;
    await queue.idle();
    expect(idle).toEqual(['a']);
  });

  test('begins nothing more once it is stopped, not even what failed', async () => {
    const { queue, done } = createWorld({ 1: 1 });
    queue.add('a', 1);
    await queue.idle();
    queue.stop();
    queue.add('a', 2);
    queue.add('b', 3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toEqual([]);
  });
});
