import { quoteValue, type ToolResult } from '@toolpost/protocol';
import { newToolError } from './tool-results.ts';

/**
 * The title and one `key: value` line each, sorted by the bytes of the keys (seed A: FormatToolResult). Without
 * values it is the title alone; an empty title keeps its line. A value that is not text is written as JSON.
 */
export function formatToolResult(
  title: string,
  values?: ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>> | null,
): string {
  const entries: [string, unknown][] = values instanceof Map ? [...values] : Object.entries(values ?? {});
  entries.sort(([a], [b]) => compareCodePoints(a, b));
  return [title, ...entries.map(([key, value]) => `${key}: ${textOf(value)}`)].join('\n');
}

/** A numbered list (seed A: FormatListResult); `(no items)` when there are none. */
export function formatListResult(items?: readonly unknown[] | null): string {
  if (!items || items.length === 0) return '(no items)';
  return items.map((item, index) => `${index + 1}. ${textOf(item)}`).join('\n');
}

/** An error result that says which operation failed and why (seed A: FormatErrorResult). */
export function formatErrorResult(operation: string, error?: unknown): ToolResult {
  return newToolError(`${operation} failed: ${reasonOf(error)}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
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
