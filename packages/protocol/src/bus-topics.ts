import { quoteValue } from './quote-value.ts';

const TOPIC = /^[a-zA-Z0-9][a-zA-Z0-9._/-]{0,127}$/;
const PATTERN = /^(?:\*|[a-zA-Z0-9][a-zA-Z0-9._/-]{0,126}\*?)$/;

/** What a message of the bus is about. @throws TypeError for what is no topic. */
export function readTopic(value: unknown): string {
  if (typeof value === 'string' && TOPIC.test(value)) return value;
  throw new TypeError(
    `a topic must be a letter or digit, then letters, digits, dots, -, _ and /, at most 128 in all, got ${quoteValue(value)}`,
  );
}

/** What a plugin subscribes to: a topic, the beginning of some with `*` behind it, or `*`. @throws TypeError */
export function readTopicPattern(value: unknown, place: string): string {
  if (typeof value === 'string' && PATTERN.test(value)) return value;
  throw new TypeError(
    `${place} must be a topic, the beginning of one with * behind it, or *, got ${quoteValue(value)}`,
  );
}

export function matchesTopic(pattern: string, topic: string): boolean {
  return pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : pattern === topic;
}
