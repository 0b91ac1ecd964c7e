import type { JsonSchema } from '@toolpost/protocol';
import { compileSchemaPattern } from './schema-pattern.ts';

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  'date-time': '2025-01-31T12:00:00Z',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ann@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  uri: 'https://example.com/',
  'uri-reference': '/a',
  uuid: '00000000-0000-4000-8000-000000000000',
};
/** Tried in this order where a pattern has to be met. */
const CANDIDATES = ['text', 'a', 'A', '1', 'Text', 'TEXT', 'text1', '123', '12345', '/text', 'a.b', 'a-b', 'a_b', ''];

export function exampleText(schema: JsonSchema): string {
  const { minLength, maxLength, format, pattern } = schema;
  const formatted = typeof format === 'string' && Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined;
  if (formatted !== undefined) return formatted;
  const fitting = typeof pattern === 'string' ? matching(pattern) : 'text';
  const least = typeof minLength === 'number' ? Math.min(minLength, 200) : 0;
  return fitting.padEnd(least, fitting.at(-1) ?? 'x').slice(0, typeof maxLength === 'number' ? maxLength : undefined);
}

function matching(pattern: string): string {
  try {
    const regExp = compileSchemaPattern(pattern, 'u');
    return [...CANDIDATES, ...Object.values(BY_FORMAT)].find((one) => regExp.test(one)) ?? 'text';
  } catch {
    return 'text';
  }
}

/** A number within the bounds, 1 where that is one. */
export function exampleNumber(schema: JsonSchema): number {
  const isWhole = [schema.type].flat().includes('integer');
  const step = numberOr(schema.multipleOf, isWhole ? 1 : 0);
  const low = Math.max(numberOr(schema.minimum, -Infinity), above(schema.exclusiveMinimum, isWhole));
  const high = Math.min(numberOr(schema.maximum, Infinity), below(schema.exclusiveMaximum, isWhole));
  const near = Math.min(Math.max(1, low), high);
  const isOpen = near === schema.exclusiveMinimum || near === schema.exclusiveMaximum;
  const inside = isOpen ? middle(low, high) : near;
  if (step === 0) return inside;
  const upwards = Math.ceil(inside / step) * step;
  return upwards <= high ? upwards : Math.floor(inside / step) * step;
}

function above(bound: unknown, isWhole: boolean): number {
  return typeof bound !== 'number' ? -Infinity : isWhole ? Math.floor(bound) + 1 : bound;
}

function below(bound: unknown, isWhole: boolean): number {
  return typeof bound !== 'number' ? Infinity : isWhole ? Math.ceil(bound) - 1 : bound;
}

function middle(low: number, high: number): number {
  if (!Number.isFinite(high)) return low + 1;
  return Number.isFinite(low) ? (low + high) / 2 : high - 1;
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
