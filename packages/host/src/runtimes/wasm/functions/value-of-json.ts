import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { Case, IntegerKind, NamedType, ValueType } from '../component/component-types.ts';
import { guestName } from './guest-names.ts';
import { rangeOf } from './type-schema.ts';

/** An argument that its schema lets through and its type does not. */
export class UnfitArgument extends Error {
  override readonly name = 'UnfitArgument';
}

type Numbers = Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;
type NumbersOf = new (values: number[]) => Numbers;
/** Lists of these are typed arrays in the transpiled code; those of u8 are base64 in JSON. */
const NUMBER_ARRAYS: Readonly<Record<string, NumbersOf>> = {
  s8: Int8Array,
  u16: Uint16Array,
  s16: Int16Array,
  u32: Uint32Array,
  s32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** The arguments of a function, in order, from the object that its schema describes. */
export function argumentsOfJson(parameters: readonly NamedType[], input: JsonObject): unknown[] {
  return parameters.map(({ name, type }) => valueOfJson(type, input[name], name));
}

/**
 * A JSON value as the transpiled code takes it. `place` names it in errors, as in `points[2].x`.
 * @throws UnfitArgument
 */
export function valueOfJson(type: ValueType, json: unknown, place: string): unknown {
  switch (type.kind) {
    case 'bool':
      return typeof json === 'boolean' ? json : unfit(place, 'true or false');
    case 'f32':
    case 'f64':
      return typeof json === 'number' ? json : unfit(place, 'a number');
    case 'char':
    case 'string':
      return typeof json === 'string' ? json : unfit(place, 'a text');
    case 'record':
      return recordOf(type.fields, json, place);
    case 'tuple':
      return tupleOf(type.elements, json, place);
    case 'list':
      return listOf(type.element, json, place);
    case 'enum':
      return typeof json === 'string' && type.names.includes(json) ? json : unfit(place, type.names.join(' or '));
    case 'flags':
      return flagsOf(type.names, json, place);
    case 'variant':
      return caseOf(type.cases, json, place);
    case 'result':
      return caseOf(resultCases(type), json, place);
    case 'option':
      return optionOf(type.some, json, place);
    case 'opaque':
      return unfit(place, 'left out');
    default:
      return integerOf(type.kind, json, place);
  }
}

export function resultCases({ ok, err }: { ok: ValueType | undefined; err: ValueType | undefined }): Case[] {
  return [
    { name: 'ok', type: ok },
    { name: 'err', type: err },
  ];
}

function unfit(place: string, wanted: string): never {
  throw new UnfitArgument(`${place} must be ${wanted}`);
}

function recordOf(fields: readonly NamedType[], json: unknown, place: string): unknown {
  if (!isJsonObject(json)) return unfit(place, 'an object');
  const values = fields.map(({ name, type }) => [guestName(name), valueOfJson(type, json[name], `${place}.${name}`)]);
  return Object.fromEntries(values);
}

function tupleOf(elements: readonly ValueType[], json: unknown, place: string): unknown {
  if (!Array.isArray(json) || json.length !== elements.length) return unfit(place, `a list of ${elements.length}`);
  return elements.map((element, index) => valueOfJson(element, json[index], `${place}[${index}]`));
}

function listOf(element: ValueType, json: unknown, place: string): unknown {
  if (element.kind === 'u8') return bytesOf(json, place);
  if (!Array.isArray(json)) return unfit(place, 'a list');
  const values = json.map((item, index) => valueOfJson(element, item, `${place}[${index}]`));
  if (element.kind === 'u64') return BigUint64Array.from(values, asBigInt);
  if (element.kind === 's64') return BigInt64Array.from(values, asBigInt);
  const NumberArray = NUMBER_ARRAYS[element.kind];
  return NumberArray ? new NumberArray(values.map(Number)) : values;
}

function asBigInt(value: unknown): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

function bytesOf(json: unknown, place: string): Uint8Array {
  if (typeof json !== 'string' || !BASE64.test(json)) return unfit(place, 'bytes in base64');
  return new Uint8Array(Buffer.from(json, 'base64'));
}

function flagsOf(names: readonly string[], json: unknown, place: string): unknown {
  if (!Array.isArray(json) || !json.every((name) => typeof name === 'string' && names.includes(name)))
    return unfit(place, `a list of any of ${names.join(', ')}`);
  return Object.fromEntries(names.map((name) => [guestName(name), json.includes(name)]));
}

function caseOf(cases: readonly Case[], json: unknown, place: string): unknown {
  const chosen = isJsonObject(json) ? cases.find(({ name }) => name === json.tag) : undefined;
  if (!isJsonObject(json) || !chosen) {
    return unfit(place, `an object whose tag is ${cases.map(({ name }) => JSON.stringify(name)).join(' or ')}`);
  }
  if (chosen.type === undefined) return { tag: chosen.name };
  return { tag: chosen.name, val: valueOfJson(chosen.type, json.val, `${place}.val`) };
}

/** None is `undefined` in the transpiled code, but for an option of an option. */
function optionOf(some: ValueType, json: unknown, place: string): unknown {
  if (some.kind !== 'option') return json === undefined || json === null ? undefined : valueOfJson(some, json, place);
  if (json === undefined || json === null) return { tag: 'none' };
  const cases = [
    { name: 'none', type: undefined },
    { name: 'some', type: some },
  ];
  return caseOf(cases, json, place);
}

function integerOf(kind: IntegerKind, json: unknown, place: string): number | bigint {
  const { minimum, maximum } = rangeOf(kind);
  const isWide = kind.endsWith('64');
  const isDigits = isWide && typeof json === 'string' && /^-?\d{1,20}$/.test(json);
  if (!isDigits && !Number.isSafeInteger(json)) {
    return unfit(place, isWide ? 'a whole number, as a text of digits beyond 2^53' : 'a whole number');
  }
  const value = BigInt(typeof json === 'string' ? json : Number(json));
  if (value < minimum || value > maximum) return unfit(place, `from ${minimum} to ${maximum}`);
  return isWide ? value : Number(value);
}
