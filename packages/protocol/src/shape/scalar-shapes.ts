import { formatDuration, parseDuration } from '../duration.ts';
import { nearNames } from '../near-names.ts';
import { noteWrong } from './findings.ts';
import type { Shape } from './shape.ts';

/** `right` finishes "expected ..."; it is needed where a pattern would not tell a person what to write. */
export function text(options: { pattern?: RegExp; right?: string; allowEmpty?: boolean } = {}): Shape<string> {
  const { pattern, allowEmpty = false } = options;
  const right = options.right ?? (allowEmpty ? 'a text in quotes' : 'a text in quotes, not empty');
  return {
    read(value, path, findings) {
      if (typeof value !== 'string' || (value === '' && !allowEmpty)) return noteWrong(findings, path, value, right);
      if (value.includes('\0')) return noteWrong(findings, path, value, 'a text without NUL characters');
      if (pattern && !pattern.test(value)) return noteWrong(findings, path, value, right);
      return value;
    },
    schema: {
      type: 'string',
      ...(allowEmpty ? {} : { minLength: 1 }),
      ...(pattern ? { pattern: pattern.source } : {}),
    },
  };
}

export function boolean(): Shape<boolean> {
  return {
    read: (value, path, findings) =>
      typeof value === 'boolean' ? value : noteWrong(findings, path, value, 'true or false, without quotes'),
    schema: { type: 'boolean' },
  };
}

export function integer({ min, max }: { min: number; max: number }): Shape<number> {
  const right = `a whole number from ${min} to ${max}, without quotes`;
  return {
    read: (value, path, findings) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : noteWrong(findings, path, value, right),
    schema: { type: 'integer', minimum: min, maximum: max },
  };
}

/** One of some words. `words` are offered to people; `aliases` are read as one of them. */
export function oneOf<const T extends string>(
  words: readonly T[],
  aliases: Readonly<Record<string, T>> = {},
): Shape<T> {
  return {
    read(value, path, findings) {
      if (typeof value === 'string') {
        const found =
          words.find((word) => word === value) ?? (Object.hasOwn(aliases, value) ? aliases[value] : undefined);
        if (found !== undefined) return found;
      }
      const meant = typeof value === 'string' ? nearNames(value, words)[0] : undefined;
      const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
      return noteWrong(findings, path, value, `one of ${words.join(', ')}${hint}`);
    },
    schema: { enum: [...words, ...Object.keys(aliases)] },
  };
}

/** Go duration text, read as milliseconds. Empty and zero mean "not set" and are read as `whenZeroMs`. */
export function duration({ maxMs, whenZeroMs }: { maxMs: number; whenZeroMs: number }): Shape<number> {
  const right = `a duration from 0 to ${formatDuration(maxMs)} as text with a unit, like "500ms", "30s" or "1m30s"`;
  return {
    read(value, path, findings) {
      const ms = typeof value === 'string' ? durationMs(value.trim()) : undefined;
      if (ms === undefined || ms < 0 || ms > maxMs) return noteWrong(findings, path, value, right);
      return ms === 0 ? whenZeroMs : ms;
    },
    schema: { type: 'string', examples: ['500ms', '30s', '1m30s'] },
  };
}

function durationMs(value: string): number | undefined {
  if (value === '') return 0;
  try {
    return parseDuration(value);
  } catch {
    return undefined;
  }
}
