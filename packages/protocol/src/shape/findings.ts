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

/** Notes a wrong value; `expected` says what is right. Returns undefined, as a reader then does. */
export function noteWrong(findings: Findings, path: string, value: unknown, expected: string): undefined {
  findings.problems.push(`${path || 'the whole'}: found ${quoteValue(value)}, expected ${expected}`);
}

/** Joins findings into one line, bounded however many a hostile document causes. */
export function joinFindings(findings: readonly string[], limit = 12): string {
  const shown = findings.slice(0, limit).join('; ');
  return findings.length > limit ? `${shown}; and ${findings.length - limit} more` : shown;
}
