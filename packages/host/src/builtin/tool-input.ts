import { resolve } from 'node:path';
import type { JsonObject } from '@toolpost/protocol';
import { realPlace } from './confine-path.ts';
import { ToolFailure } from './tool-failure.ts';

/**
 * The path of a file tool: `file_path`, or `path` as many models say. Both may be given when they are spellings of one
 * file; a relative one starts in the first root.
 */
export async function pathInput(input: JsonObject, [root = '']: readonly string[]): Promise<string> {
  const { file_path: filePath, path } = input;
  const given = filePath ?? path;
  if (typeof given !== 'string' || given === '') throw new ToolFailure('file_path is missing: name the file');
  if (path === undefined || path === given) return given;
  const isOne = typeof path === 'string' && (await isOnePlace(resolve(root, given), resolve(root, path)));
  if (!isOne) throw new ToolFailure('file_path and path name two files; give only file_path');
  return given;
}

/** What cannot be reached by one of the two is not known to be one file. */
async function isOnePlace(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [real, otherReal] = await Promise.allSettled([realPlace(one), realPlace(other)]);
  return real.status === 'fulfilled' && otherReal.status === 'fulfilled' && real.value === otherReal.value;
}

/** @throws ToolFailure when the field is absent, no string, or holds half a surrogate pair, which no file can hold. */
export function textInput(input: JsonObject, field: string): string {
  const value = input[field];
  if (typeof value !== 'string') throw new ToolFailure(`${field} is missing: give it as a string`);
  if (!value.isWellFormed()) throw new ToolFailure(`${field} holds half a character (a lone surrogate); send it whole`);
  return value;
}

export function optionalTextInput(input: JsonObject, field: string): string | undefined {
  return input[field] === undefined ? undefined : textInput(input, field);
}

/** A whole number of at least `minimum`; `fallback` when absent. */
export function countInput(input: JsonObject, field: string, { minimum = 0, fallback = 0 } = {}): number {
  const value = input[field] ?? fallback;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new ToolFailure(`${field} must be a whole number of at least ${minimum}, not ${JSON.stringify(value)}`);
}
