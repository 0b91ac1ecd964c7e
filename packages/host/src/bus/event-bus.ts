import { type Permission, readTopic } from '@toolpost/protocol';
import { createMessageQueue, type MessageQueue, type SentMessage } from './message-queue.ts';

const MAX_BYTES = 256 * 1024;
/** A message that is published because of a message that ... ends here. */
const MAX_DEPTH = 16;
/** How long what was published may still be handled when the host closes. */
const CLOSING_MS = 1000;
/** Beyond this, queues of tenants that are idle are dropped. */
const SWEEP_SIZE = 1000;

/** Whoever publishes. */
export interface Sender {
  readonly pluginId: string;
  readonly tenant: string;
  /** 0 when no message of the bus is the reason. */
  readonly depth: number;
  permits(permission: Permission): boolean;
}

/** A plugin that may hear of messages. */
export interface Subscriber {
  readonly pluginId: string;
  /** Whether it hears of the topic in this tenant. */
  wants(message: SentMessage): boolean;
  deliver(message: SentMessage, abortSignal: AbortSignal): Promise<void>;
  onProblem(problem: string): void;
}

/** Messages between the plugins of a tenant. A subscriber that is slow, full or broken holds up nobody else. */
export interface EventBus {
  /** Who may hear of messages; asked for each. */
  setSubscribers(subscribers: readonly Subscriber[]): void;
  /** Puts a message on its way. @throws Error that names the missing permission, or what is wrong with it. */
  publish(sender: Sender, topic: unknown, data: unknown): void;
  /** Takes no more, and gives what is on its way a second. */
  close(): Promise<void>;
}

export function createEventBus(): EventBus {
  const queues = new Map<string, MessageQueue>();
  let subscribers: readonly Subscriber[] = [];
  let isClosed = false;

  const queueOf = (subscriber: Subscriber, tenant: string): MessageQueue => {
    const key = `${subscriber.pluginId}\0${tenant}`;
    const known = queues.get(key);
    if (known) return known;
    if (queues.size >= SWEEP_SIZE) for (const [one, queue] of queues) if (queue.isIdle) queues.delete(one);
    const queue = createMessageQueue(subscriber);
    queues.set(key, queue);
    return queue;
  };

  return {
    setSubscribers(next) {
      subscribers = next;
    },
    publish(sender, topic, data) {
      if (isClosed) throw new Error('the host is closing: nothing is published any more');
      const message = toMessage(sender, topic, data);
      for (const one of subscribers) if (one.wants(message)) queueOf(one, message.tenant).put(message);
    },
    async close() {
      isClosed = true;
      const all = [...queues.values()];
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, all.every((queue) => queue.isIdle) ? 0 : CLOSING_MS);
      await Promise.race([Promise.all(all.map((queue) => queue.whenIdle())), timer.promise]);
      clearTimeout(timeout);
      for (const queue of all) queue.close();
    },
  };
}

function toMessage({ pluginId, tenant, depth, permits }: Sender, topic: unknown, data: unknown): SentMessage {
  for (const permission of ['bus.plugin', 'bus.write'] as const) {
    if (!permits(permission))
      throw new Error(`plugin ${pluginId}: to publish it needs the permission "${permission}" in its plugin.json`);
  }
  if (depth > MAX_DEPTH)
    throw new Error(
      `plugin ${pluginId}: ${MAX_DEPTH} messages stand above this one: plugins answer each other in a circle`,
    );
  const json = JSON.stringify(data ?? null);
  if (json === undefined) throw new TypeError(`the data of a message is no JSON but a ${typeof data}`);
  if (json.length > MAX_BYTES)
    throw new RangeError(`a message has at most ${MAX_BYTES} characters of JSON, and this one has ${json.length}`);
  return { topic: readTopic(topic), json, from: pluginId, tenant, depth };
}
