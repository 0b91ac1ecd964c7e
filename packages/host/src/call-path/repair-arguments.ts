import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { ErrorObject } from './compile-schema.ts';
import { isNestedDeeper, MAX_ARGUMENTS_DEPTH } from './nesting.ts';
import { toWellFormedDeep } from './well-formed.ts';

/** One value that was converted towards its declared type, as the journal records it. */
export interface Repair {
  /** JSON Pointer in the arguments. */
  path: string;
  from: unknown;
  /** Absent when a `null` for an optional field was left out. */
  to?: unknown;
}

export interface RepairOptions {
  /** The arguments are words of a command line: a single one is a list of one where the schema wants a list. */
  readonly areWords?: boolean | undefined;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const UNCHANGED = Symbol('unchanged');

/**
 * Converts what failed, and nothing else, towards the declared type: `"5"` for an integer, `2662` for a string,
 * `null` for an optional field. Changes `input`, which must be the caller's own copy.
 */
export function repairArguments(
  input: JsonObject,
  errors: readonly ErrorObject[],
  { areWords = false }: RepairOptions = {},
): Repair[] {
  const repairs: Repair[] = [];
  for (const [path, ofPath] of Map.groupBy(errors, ({ instancePath }) => instancePath)) {
    if (path === '') continue;
    const place = findPlace(input, path);
    if (!place || !Object.hasOwn(place.holder, place.key)) continue;
    const from = place.holder[place.key];
    if (from === null && !Array.isArray(place.holder)) {
      delete place.holder[place.key];
      repairs.push({ path, from });
      continue;
    }
    const types = declaredTypes(ofPath);
    const converted = convertToFirst(from, types);
    const isLoneWord = areWords && converted === UNCHANGED && typeof from === 'string' && types.includes('array');
    const to = isLoneWord ? [from] : converted;
    if (to === UNCHANGED) continue;
    place.holder[place.key] = to;
    repairs.push({ path, from, to });
  }
  return repairs;
}

/**
 * Puts a `null` back that was left out of a field which turned out to be required: it did not come missing, but as null.
 * @returns whether there was one.
 */
export function putBackNulls(input: JsonObject, repairs: readonly Repair[], errors: readonly ErrorObject[]): boolean {
  const missing = errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === 'required' ? [`${instancePath}/${toPointerPart(String(params.missingProperty))}`] : [],
  );
  const nulls = repairs.filter((repair) => !('to' in repair) && missing.includes(repair.path));
  for (const { path } of nulls) {
    const place = findPlace(input, path);
    if (place) place.holder[place.key] = null;
  }
  return nulls.length > 0;
}

function toPointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The types that the errors of one place ask for; several when an `anyOf` has several branches. */
function declaredTypes(errors: readonly ErrorObject[]): string[] {
  const types: string[] = [];
  for (const error of errors) {
    if (error.keyword !== 'type') continue;
    const { type } = error.params as { type: string | string[] };
    types.push(...(Array.isArray(type) ? type : type.split(',')));
  }
  return types;
}

function convertToFirst(value: unknown, types: readonly string[]): unknown {
  for (const type of types) {
    const converted = convert(value, type);
    if (converted !== UNCHANGED) return converted;
  }
  return UNCHANGED;
}

function convert(value: unknown, type: string): unknown {
  if (type === 'string') return toText(value);
  if (typeof value !== 'string') return UNCHANGED;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : UNCHANGED;
  if (type === 'number' || type === 'integer') return toNumber(value, type);
  if (type === 'array' || type === 'object') return toStructure(value, type);
  return UNCHANGED;
}

/** A whole number beyond 2^53 lost its last digits when the arguments were parsed: as a text it would be another id. */
function toText(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !isExact(value)) return UNCHANGED;
  return String(value);
}

function toNumber(text: string, type: 'number' | 'integer'): unknown {
  if (!NUMBER.test(text)) return UNCHANGED;
  const number = Number(text);
  if (type === 'integer' && !Number.isSafeInteger(number)) return UNCHANGED;
  // Digits that a number cannot hold would silently be other ones; an exponent says that its digits are few.
  if (!isExact(number) && !/[eE]/.test(text)) return UNCHANGED;
  return Number.isFinite(number) ? number : UNCHANGED;
}

function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

/** Some models send a list or an object as its JSON text. */
function toStructure(text: string, type: 'array' | 'object'): unknown {
  if (!text.trimStart().startsWith(type === 'array' ? '[' : '{')) return UNCHANGED;
  try {
    const value: unknown = JSON.parse(text);
    if (type === 'array' ? !Array.isArray(value) : !isJsonObject(value)) return UNCHANGED;
    return isNestedDeeper(value, MAX_ARGUMENTS_DEPTH) ? UNCHANGED : toWellFormedDeep(value);
  } catch {
    return UNCHANGED;
  }
}

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

/** Follows a JSON Pointer to the object or list that holds its last part. */
function findPlace(input: JsonObject, path: string): Place | undefined {
  const keys = path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = keys.pop();
  let holder: unknown = input;
  for (const part of keys) holder = ownValue(holder, part);
  if (key === undefined || typeof holder !== 'object' || holder === null) return undefined;
  return { holder: holder as Record<string, unknown>, key };
}

function ownValue(holder: unknown, key: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
  return (holder as Record<string, unknown>)[key];
}
