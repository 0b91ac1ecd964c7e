import { messageOf } from '@toolpost/protocol';
import type { BusMessage } from '@toolpost/sdk';

/** How much may wait for one plugin and tenant. */
const MAX_WAITING = 1000;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const HANDLING_MS = 10_000;

/** A message on its way. `depth`: how many messages stand above it, as one may be published because of another. */
export interface SentMessage extends Omit<BusMessage, 'data'> {
  /** JSON text: each who gets it has a copy. */
  readonly json: string;
  readonly depth: number;
}

export interface MessageQueueParts {
  /** Hands one message over and waits until it was handled. */
  readonly deliver: (message: SentMessage, abortSignal: AbortSignal) => Promise<void>;
  /** Hears in one sentence what was lost, and why. */
  readonly onProblem: (problem: string) => void;
  readonly handlingMs?: number;
}

/** What waits for one plugin and tenant: handed over one by one, in order, at the plugin's pace. */
export interface MessageQueue {
  /** Whether nothing waits and nothing is being handled. */
  readonly isIdle: boolean;
  /** Never throws: a queue that is full drops the message, and says so once. */
  put(message: SentMessage): void;
  /** Resolves when it is idle. */
  whenIdle(): Promise<void>;
  /** Gives up what waits and what is being handled. */
  close(): void;
}

export function createMessageQueue({ deliver, onProblem, handlingMs = HANDLING_MS }: MessageQueueParts): MessageQueue {
  let waiting: SentMessage[] = [];
  let waitingBytes = 0;
  let lost = 0;
  let isRunning = false;
  let isClosed = false;
  let current: AbortController | undefined;
  const onIdle: (() => void)[] = [];

  async function handle(message: SentMessage): Promise<void> {
    const { topic, from } = message;
    const controller = new AbortController();
    current = controller;
    const late = Promise.withResolvers<never>();
    const expire = () => {
      late.reject(new Error(`it was not handled within ${handlingMs} ms`));
      controller.abort();
    };
    const timer = setTimeout(expire, handlingMs);
    controller.signal.addEventListener('abort', () => late.reject(new Error('the host is closing')), { once: true });
    try {
      await Promise.race([deliver(message, controller.signal), late.promise]);
    } catch (error) {
      const reason = messageOf(error);
      onProblem(`a message about ${topic} from plugin ${from} failed: ${reason}`);
    } finally {
      late.promise.catch(() => undefined);
      clearTimeout(timer);
      current = undefined;
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    for (let next = waiting.shift(); next && !isClosed; next = waiting.shift()) {
      waitingBytes -= next.json.length;
      await handle(next);
    }
    isRunning = false;
    if (lost > 0) onProblem(`${lost} messages of the bus were lost, as ${MAX_WAITING} or too large ones were waiting`);
    lost = 0;
    for (const resolve of onIdle.splice(0)) resolve();
  }

  return {
    get isIdle() {
      return !isRunning;
    },
    put(message) {
      if (isClosed) return;
      if (waiting.length >= MAX_WAITING || waitingBytes + message.json.length > MAX_WAITING_BYTES) {
        lost += 1;
        return;
      }
      waiting.push(message);
      waitingBytes += message.json.length;
      if (!isRunning) void run();
    },
    whenIdle: () => (isRunning ? new Promise((resolve) => onIdle.push(resolve)) : Promise.resolve()),
    close() {
      isClosed = true;
      waiting = [];
      current?.abort();
    },
  };
}
