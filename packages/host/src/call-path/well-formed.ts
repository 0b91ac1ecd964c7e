import { isJsonObject } from '@toolpost/protocol';

/**
 * Replaces lone surrogates in every text of a JSON value: a model that was cut inside an emoji sends them, and
 * one of them in a history makes every later request to a provider fail. Copies only what changes.
 */
export function toWellFormedDeep<T>(value: T): T {
  return mend(value) as T;
}

function mend(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) return value.map(mend);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mend(item)]));
}
