/** A piece that could not be worked on is tried again after this, later each time. */
const RETRY_MS = 2000;
const MAX_RETRY_MS = 60_000;

/** Work on many chats at once, one piece at a time in each, in the order in which it came. */
export interface ChatQueue {
  add(chatId: string, pk: number): void;
  /** Resolves when nothing runs. What waits is not begun once `stop` was called. */
  idle(): Promise<void>;
  /** So many pieces wait for people: others run in their place. */
  setResting(count: number): void;
  stop(): void;
}

export interface ChatQueueOptions {
  readonly maxAtOnce: number;
  /** Returns false where it is to be tried again: until it is done, nothing else of its chat is begun. Never rejects. */
  readonly work: (pk: number) => Promise<boolean>;
  /** Nothing of the chat waits or runs any more. */
  readonly onIdle: (chatId: string) => void;
  /** Milliseconds before the first try again; 2000 when absent. */
  readonly retryMs?: number;
}

interface Chat {
  readonly waiting: number[];
  failures: number;
  timer?: NodeJS.Timeout;
}

export function createChatQueue({ maxAtOnce, work, onIdle, retryMs = RETRY_MS }: ChatQueueOptions): ChatQueue {
  const chats = new Map<string, Chat>();
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
    const chat = chats.get(chatId);
    const pk = chat?.waiting[0];
    if (!chat || pk === undefined) return;
    if (!(await work(pk))) return pause(chatId, chat);
    chat.failures = 0;
    chat.waiting.shift();
    if (chat.waiting.length > 0) {
      ready.push(chatId);
      return;
    }
    chats.delete(chatId);
    onIdle(chatId);
  }

  function pause(chatId: string, chat: Chat): void {
    if (isStopped) return;
    const delayMs = Math.min(MAX_RETRY_MS, retryMs * 2 ** chat.failures++);
    chat.timer = setTimeout(() => {
      ready.push(chatId);
      next();
    }, delayMs);
  }

  return {
    add(chatId, pk) {
      const chat = chats.get(chatId);
      if (chat) chat.waiting.push(pk);
      else {
        chats.set(chatId, { waiting: [pk], failures: 0 });
        ready.push(chatId);
      }
      next();
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    setResting(count) {
      resting = count;
      next();
    },
    stop() {
      isStopped = true;
      for (const { timer } of chats.values()) clearTimeout(timer);
    },
  };
}
