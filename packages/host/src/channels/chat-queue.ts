/** Work on many chats at once, one piece at a time in each, in the order in which it came. */
export interface ChatQueue {
  add(chatId: string, pk: number): void;
  /** Whether something of the chat waits or runs. */
  has(chatId: string): boolean;
  /** Resolves when nothing runs. What waits is not begun once `stop` was called. */
  idle(): Promise<void>;
  /** So many pieces wait for people: others run in their place. */
  setResting(count: number): void;
  stop(): void;
}

export function createChatQueue(maxAtOnce: number, work: (pk: number) => Promise<void>): ChatQueue {
  const chats = new Map<string, number[]>();
  const ready: string[] = [];
  const running = new Set<Promise<void>>();
  let isStopped = false;
  let resting = 0;

  const next = () => {
    while (!isStopped && running.size < maxAtOnce + resting) {
      const chatId = ready.shift();
      if (chatId === undefined) return;
      const one = run(chatId);
      running.add(one);
      void one.finally(() => {
        running.delete(one);
        next();
      });
    }
  };

  /** One piece of the chat; then it stands behind the others that wait. */
  async function run(chatId: string): Promise<void> {
    const waiting = chats.get(chatId) ?? [];
    const pk = waiting[0];
    if (pk !== undefined) await work(pk);
    waiting.shift();
    if (waiting.length > 0) ready.push(chatId);
    else chats.delete(chatId);
  }

  return {
    add(chatId, pk) {
      const waiting = chats.get(chatId);
      if (waiting) waiting.push(pk);
      else {
        chats.set(chatId, [pk]);
        ready.push(chatId);
      }
      next();
    },
    has: (chatId) => chats.has(chatId),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    setResting(count) {
      resting = count;
      next();
    },
    stop() {
      isStopped = true;
    },
  };
}
