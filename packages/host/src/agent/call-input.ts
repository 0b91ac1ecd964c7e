import { isJsonObject, type JsonObject } from '@toolpost/protocol';

const MAX_KEPT = 2000;

/**
 * What a call's raw arguments become in the history, where providers take an object alone. Arguments that are no
 * JSON object are kept as text, so that the model sees what it sent beside the error that answers it. Lone
 * surrogates are replaced: one of them makes every later request fail.
 */
export function toHistoryInput(raw: string): JsonObject {
  const text = raw.trim();
  if (text === '' || text === 'null') return {};
  try {
    const value: unknown = JSON.parse(text.toWellFormed(), text.includes('\\u') ? mend : undefined);
    // A round trip proves that a provider can write it: very deep values are read but not written.
    if (isJsonObject(value) && JSON.stringify(value)) return value;
  } catch {
    // Not JSON, or too deep: kept as text below.
  }
  const kept = text.length > MAX_KEPT ? `${text.slice(0, MAX_KEPT)}...` : text;
  return { invalidArguments: kept.toWellFormed() };
}

function mend(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isJsonObject(value) || Object.keys(value).every((key) => key.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), item]));
}
