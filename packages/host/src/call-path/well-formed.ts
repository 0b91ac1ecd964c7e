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

/** Where the first text with a lone surrogate stands, such as `edits[2].text`; undefined when all are whole. */
export function placeOfHalfCharacter(value: unknown, place = ''): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : place;
  if (Array.isArray(value)) return firstOf(value.map((item, index) => [`${place}[${index}]`, item] as const));
  if (!isJsonObject(value)) return undefined;
  const prefix = place === '' ? '' : `${place}.`;
  const broken = Object.keys(value).find((key) => !key.isWellFormed());
  if (broken !== undefined) return `${prefix}${broken.toWellFormed()}`;
  return firstOf(Object.entries(value).map(([key, item]) => [prefix + key, item] as const));
}

function firstOf(items: readonly (readonly [string, unknown])[]): string | undefined {
  for (const [place, item] of items) {
    const found = placeOfHalfCharacter(item, place);
    if (found !== undefined) return found;
  }
  return undefined;
}
