import { quoteValue, type ToolResult } from '@toolpost/protocol';
import { newToolError, newToolResult } from './tool-results.ts';

/**
 * The title and one `key: value` line each, sorted by the bytes of the keys (seed A: FormatToolResult). Without
 * values it is the title alone; an empty title keeps its line.
 */
export function formatToolResult(
  title: string,
  values?: ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>> | null,
): ToolResult {
  const entries: [string, unknown][] = values instanceof Map ? [...values] : Object.entries(values ?? {});
  entries.sort(([a], [b]) => compareCodePoints(a, b));
  return newToolResult([title, ...entries.map(([key, value]) => `${key}: ${value}`)].join('\n'));
}

/** A numbered list (seed A: FormatListResult); `(no items)` when there are none. */
export function formatListResult(items?: readonly unknown[] | null): ToolResult {
  if (!items || items.length === 0) return newToolResult('(no items)');
  return newToolResult(items.map((item, index) => `${index + 1}. ${item}`).join('\n'));
}

/** An error result that says which operation failed and why (seed A: FormatErrorResult). */
export function formatErrorResult(operation: string, error?: unknown): ToolResult {
  return newToolError(`${operation} failed: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  if (error === undefined || error === null) return 'unknown error';
  if (error instanceof Error) return error.message;
  return typeof error === 'string' ? error : quoteValue(error);
}

/** The order of UTF-8 bytes, which is that of code points; JavaScript's own order differs above U+FFFF. */
function compareCodePoints(a: string, b: string): number {
  const left = a[Symbol.iterator]();
  const right = b[Symbol.iterator]();
  for (;;) {
    const x = left.next();
    const y = right.next();
    if (x.done || y.done) return Number(!x.done) - Number(!y.done);
    const difference = (x.value.codePointAt(0) ?? 0) - (y.value.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
}
