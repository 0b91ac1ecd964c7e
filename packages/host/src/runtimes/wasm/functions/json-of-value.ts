import type { Case, NamedType, ValueType } from '../component/component-types.ts';
import { guestName } from './guest-names.ts';
import { resultCases } from './value-of-json.ts';

/** A value of the transpiled code as JSON: numbers that JSON does not have are texts, bytes are base64. */
export function jsonOfValue(type: ValueType, value: unknown): unknown {
  switch (type.kind) {
    case 'bool':
      return value === true;
    case 'char':
    case 'string':
    case 'enum':
      return String(value);
    case 'f32':
    case 'f64':
      return Number.isFinite(value) ? Number(value) : String(value);
    case 's64':
    case 'u64':
      return integer(value);
    case 'record':
      return recordToJson(type.fields, value);
    case 'tuple':
      return type.elements.map((element, index) => jsonOfValue(element, itemsOf(value)[index]));
    case 'list':
      return type.element.kind === 'u8' ? base64(value) : itemsOf(value).map((item) => jsonOfValue(type.element, item));
    case 'flags':
      return type.names.filter((name) => propertyOf(value, guestName(name)) === true);
    case 'variant':
      return caseToJson(type.cases, value);
    case 'result':
      return caseToJson(resultCases(type), value);
    case 'option':
      return optionToJson(type.some, value);
    case 'opaque':
      return null;
    default:
      return Number(value);
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function itemsOf(value: unknown): unknown[] {
  return Array.from(value as Iterable<unknown>);
}

function integer(value: unknown): unknown {
  const whole = BigInt(value as bigint);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole);
}

function base64(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : '';
}

/** A none is left out, as an argument that is not given is. */
function recordToJson(fields: readonly NamedType[], value: unknown): unknown {
  const entries = fields.flatMap(({ name, type }) => {
    const field = propertyOf(value, guestName(name));
    const isNone = type.kind === 'option' && (field === undefined || propertyOf(field, 'tag') === 'none');
    return isNone ? [] : [[name, jsonOfValue(type, field)] as const];
  });
  return Object.fromEntries(entries);
}

function caseToJson(cases: readonly Case[], value: unknown): unknown {
  const tag = String(propertyOf(value, 'tag'));
  const type = cases.find(({ name }) => name === tag)?.type;
  return type === undefined ? { tag } : { tag, val: jsonOfValue(type, propertyOf(value, 'val')) };
}

function optionToJson(some: ValueType, value: unknown): unknown {
  if (some.kind !== 'option') return value === undefined ? null : jsonOfValue(some, value);
  return caseToJson(
    [
      { name: 'none', type: undefined },
      { name: 'some', type: some },
    ],
    value,
  );
}
