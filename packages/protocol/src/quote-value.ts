const MAX_QUOTED_CHARACTERS = 120;

/** A value as an error message quotes it: JSON text, cut when long, in words where JSON has none. Never throws. */
export function quoteValue(value: unknown, maxCharacters = MAX_QUOTED_CHARACTERS): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  const text = toJson(value).toWellFormed();
  if (text.length <= maxCharacters) return text;
  return `${text.slice(0, maxCharacters).toWellFormed()}... (${text.length} characters)`;
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Array.isArray(value) ? 'an array that is not JSON' : 'an object that is not JSON';
  }
}
