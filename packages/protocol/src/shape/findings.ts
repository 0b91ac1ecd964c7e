import { isJsonObject } from '../json.ts';
import { quoteValue } from '../quote-value.ts';

/** Where a reader notes what it finds: any `problems` refuse the document, `warnings` do not. */
export interface Findings {
  readonly problems: string[];
  readonly warnings: string[];
}

/** The path of a key inside `path`; a key that is not a plain word stands in brackets. */
export function keyPath(path: string, key: string): string {
  if (!/^[\w$-]{1,80}$/.test(key)) return `${path}[${quoteValue(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Where values may be secret: what is found there is told by its kind alone. */
const SECRET_PATH = /\b(?:tokens|headers|env|settings)\b/;

/** Notes a wrong value; `expected` says what is right. Returns undefined, as a reader then does. */
export function noteWrong(findings: Findings, path: string, value: unknown, expected: string): undefined {
  findings.problems.push(`${path || 'the whole'}: found ${describeFound(path, value)}, expected ${expected}`);
}

/** An object or list is never quoted: a key or token may stand deep in it. */
function describeFound(path: string, value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' && SECRET_PATH.test(path) ? 'a text' : quoteValue(value);
}

/** The first findings and how many more there are: bounded however many a hostile document causes. */
export function boundFindings(findings: readonly string[], limit = 12): string[] {
  if (findings.length <= limit) return [...findings];
  return [...findings.slice(0, limit), `and ${findings.length - limit} more`];
}

/** Joins findings, bounded, into one line. */
export function joinFindings(findings: readonly string[], limit?: number): string {
  return boundFindings(findings, limit).join('; ');
}
