import { isJsonObject } from './json.ts';
import { quoteValue } from './quote-value.ts';

/** A list that may be left out. @throws TypeError that names the place when it is something else. */
export function readList(value: unknown, place: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place} must be a list, got ${quoteValue(value)}`);
}

/** A text that must be there. @throws TypeError that names the field. */
export function textField(value: unknown, field: string, place: string): string {
  if (!isJsonObject(value)) throw new TypeError(`${place} must be an object, got ${quoteValue(value)}`);
  const text = value[field];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new TypeError(`${place}.${field} must be non-empty text, got ${quoteValue(text)}`);
}

/** What a plugin gave as an error, as words. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error === '' ? 'the plugin gave no reason' : error;
  if (isJsonObject(error) && typeof error.message === 'string') return error.message;
  return quoteValue(error);
}
