import { isJsonObject, type JsonObject, messageOf } from '@toolpost/protocol';

/**
 * Reads one field of a tool's input: its JSON text (seed A: ParseToolInputString), or the object that was parsed.
 * All five throw `parse tool input: ...` for text that is no JSON object, and `field "name" not found or not a ...`.
 */
export function parseToolInputString(input: string | JsonObject, field: string): string {
  return parseField(input, field, isString, 'a string');
}

export function parseToolInputNumber(input: string | JsonObject, field: string): number {
  return parseField(input, field, isNumber, 'a number');
}

export function parseToolInputBoolean(input: string | JsonObject, field: string): boolean {
  return parseField(input, field, isBoolean, 'a boolean');
}

export function parseToolInputArray(input: string | JsonObject, field: string): unknown[] {
  return parseField(input, field, isArray, 'an array');
}

export function parseToolInputObject(input: string | JsonObject, field: string): JsonObject {
  return parseField(input, field, isJsonObject, 'an object');
}

function parseField<T>(input: string | JsonObject, field: string, is: (value: unknown) => value is T, kind: string): T {
  const object = typeof input === 'string' ? parseToolInput(input) : input;
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  if (is(value)) return value;
  throw new Error(`field "${field}" not found or not ${kind}`);
}

/**
 * Parses a tool's input; `null` is an empty object, as in the seed.
 * @throws Error `parse tool input: ...`
 */
export function parseToolInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`parse tool input: ${messageOf(error)}`, { cause: error });
  }
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw new Error(
    `parse tool input: expected a JSON object, got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`}`,
  );
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
