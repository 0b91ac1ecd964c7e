import { isJsonObject, type JsonObject, matchesTopic, quoteValue, readTopicPattern } from '@toolpost/protocol';
import type { LogLevel, Publish, Storage } from '../tool-call-context.ts';

/** What one plugin tells others. `from` and `tenant` are the host's word, not the sender's. */
export interface BusMessage {
  readonly topic: string;
  /** Any JSON; a copy for each who gets it. */
  readonly data: unknown;
  /** The id of the plugin that published it. */
  readonly from: string;
  readonly tenant: string;
}

/** What a handler may use. All of it is the message's tenant's. */
export interface BusContext {
  readonly storage: Storage;
  readonly settings: JsonObject;
  readonly publish: Publish;
  /** Aborts when the handler has had its time, or the host closes. */
  readonly abortSignal: AbortSignal;
  log(message: string, level?: LogLevel): void;
}

/** Hears of one message after the other, each for at most ten seconds. What it throws is logged and harms nobody. */
export type BusHandler = (message: BusMessage, context: BusContext) => void | Promise<void>;

export interface PluginSubscription {
  /** A topic, the beginning of some with `*` behind it, or `*`. */
  readonly topic: string;
  readonly handler: BusHandler;
}

/**
 * Checks a subscription that may come from plain JavaScript.
 * @throws TypeError that names the place.
 */
export function toSubscription(value: unknown, place: string): PluginSubscription {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const { handler } = value;
  const topic = readTopicPattern(value.topic, `${place}.topic`);
  if (typeof handler !== 'function')
    throw new TypeError(`${place}.handler must be a function, got ${quoteValue(handler)}`);
  return { topic, handler: (message, context) => handler.call(value, message, context) };
}

/** The topics, each once. */
export function topicsOf(subscriptions: readonly PluginSubscription[]): string[] {
  return [...new Set(subscriptions.map(({ topic }) => topic))];
}

/** Runs every handler of the topic, also after one that fails. @throws what the first of them threw. */
export async function runSubscriptions(
  subscriptions: readonly PluginSubscription[],
  message: BusMessage,
  context: BusContext,
): Promise<void> {
  const concerned = subscriptions.filter(({ topic }) => matchesTopic(topic, message.topic));
  const outcomes = await Promise.allSettled(concerned.map(async ({ handler }) => handler(message, context)));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
