import { type ByteReader, MalformedComponent } from './byte-reader.ts';
import type {
  Case,
  ComponentItem,
  DefinedType,
  FunctionType,
  Items,
  NamedType,
  PrimitiveKind,
  ValueType,
} from './component-types.ts';
import { IndexSpaces, sortOf } from './index-spaces.ts';

const PRIMITIVES: Readonly<Record<number, PrimitiveKind>> = {
  127: 'bool',
  126: 's8',
  125: 'u8',
  124: 's16',
  123: 'u16',
  122: 's32',
  121: 'u32',
  120: 's64',
  119: 'u64',
  118: 'f32',
  117: 'f64',
  116: 'char',
  115: 'string',
};
const primitives = new Map(Object.entries(PRIMITIVES).map(([code, kind]) => [Number(code), { kind } as const]));
const ERROR_CONTEXT = 0x64;
/** Types within types, of instances and components: deeper is nothing that a tool chain writes. */
const MAX_NESTING = 32;

/** An entry of a type section (Component Model, binary format, type definitions). */
export function readDefinedType(reader: ByteReader, spaces: IndexSpaces, depth = 0): DefinedType {
  if (depth > MAX_NESTING) throw new MalformedComponent(`its types are nested more than ${MAX_NESTING} deep`);
  const code = reader.byte();
  switch (code) {
    case 0x40:
    case 0x43:
      return { of: 'function', type: readFunctionType(reader, spaces) };
    case 0x41:
    case 0x42:
      return { of: code === 0x41 ? 'component' : 'instance', items: readDeclarations(reader, spaces, depth) };
    case 0x3f:
      reader.byte();
      reader.optional(() => reader.u32());
      return { of: 'resource' };
    default:
      return { of: 'value', type: readValueDefinition(code, reader, spaces) };
  }
}

function readValueDefinition(code: number, reader: ByteReader, spaces: IndexSpaces): ValueType {
  const value = () => readValueType(reader, spaces);
  const name = () => reader.text();
  switch (code) {
    case 0x72:
      return { kind: 'record', fields: reader.list(() => readNamed(reader, spaces)) };
    case 0x71:
      return { kind: 'variant', cases: reader.list(() => readCase(reader, spaces)) };
    case 0x70:
      return { kind: 'list', element: value() };
    case 0x67:
      return { kind: 'list', element: value(), length: reader.u32() };
    case 0x6f:
      return { kind: 'tuple', elements: reader.list(value) };
    case 0x6e:
      return { kind: 'flags', names: reader.list(name) };
    case 0x6d:
      return { kind: 'enum', names: reader.list(name) };
    case 0x6b:
      return { kind: 'option', some: value() };
    case 0x6a:
      return { kind: 'result', ok: reader.optional(value), err: reader.optional(value) };
    default:
      return readOpaque(code, reader, value) ?? primitive(code) ?? fail(reader);
  }
}

function readOpaque(code: number, reader: ByteReader, value: () => ValueType): ValueType | undefined {
  if (code === 0x69 || code === 0x68) {
    reader.u32();
    return { kind: 'opaque', what: 'a resource' };
  }
  if (code !== 0x66 && code !== 0x65) return undefined;
  reader.optional(value);
  return { kind: 'opaque', what: code === 0x66 ? 'a stream' : 'a future' };
}

function primitive(code: number): ValueType | undefined {
  return code === ERROR_CONTEXT ? { kind: 'opaque', what: 'an error context' } : primitives.get(code);
}

function fail(reader: ByteReader): never {
  throw reader.unexpected('a type');
}

/** A primitive in one byte, else the index of a type. */
export function readValueType(reader: ByteReader, spaces: IndexSpaces): ValueType {
  const known = primitive(reader.peek());
  if (known === undefined) return spaces.valueType(reader.u32());
  reader.byte();
  return known;
}

function readNamed(reader: ByteReader, spaces: IndexSpaces): NamedType {
  return { name: reader.text(), type: readValueType(reader, spaces) };
}

function readCase(reader: ByteReader, spaces: IndexSpaces): Case {
  const name = reader.text();
  const type = reader.optional(() => readValueType(reader, spaces));
  // Earlier tool chains could say here which case it refines.
  reader.optional(() => reader.u32());
  return { name, type };
}

function readFunctionType(reader: ByteReader, spaces: IndexSpaces): FunctionType {
  const parameters = reader.list(() => readNamed(reader, spaces));
  return { parameters, result: readResultList(reader, spaces) };
}

export function readResultList(reader: ByteReader, spaces: IndexSpaces): ValueType | undefined {
  if (reader.byte() === 0) return readValueType(reader, spaces);
  // Once several results could have names; what is written today has none here.
  const named = reader.list(() => readNamed(reader, spaces));
  return named.length === 0 ? undefined : { kind: 'record', fields: named };
}

/** The inside of an instance type or a component type: its own index spaces, and what it exports. */
function readDeclarations(reader: ByteReader, parent: IndexSpaces, depth: number): Items {
  const spaces = new IndexSpaces(parent);
  const items = new Map<string, ComponentItem>();
  reader.list(() => {
    const code = reader.byte();
    if (code === 0x01) spaces.add({ sort: 'type', type: readDefinedType(reader, spaces, depth + 1) });
    else if (code === 0x02) spaces.add(readAlias(reader, spaces));
    else if (code === 0x03 || code === 0x04) {
      const name = readExternName(reader);
      const item = readExternType(reader, spaces);
      spaces.add(item);
      if (code === 0x04) items.set(name, item);
    } else throw reader.unexpected('a declaration');
  });
  return items;
}

/** The name of an import or export. */
export function readExternName(reader: ByteReader): string {
  const kind = reader.byte();
  const name = reader.text();
  if (kind === 0x02) reader.text();
  return name;
}

/** The type of an import or export. */
export function readExternType(reader: ByteReader, spaces: IndexSpaces): ComponentItem {
  const code = reader.byte();
  switch (code) {
    case 0x00:
      reader.byte();
      reader.u32();
      return { sort: 'other' };
    case 0x01:
      return { sort: 'function', type: spaces.functionType(reader.u32()) };
    case 0x03:
      return { sort: 'type', type: reader.byte() === 0 ? spaces.definedType(reader.u32()) : { of: 'resource' } };
    case 0x04:
    case 0x05:
      return readItemsType(code === 0x04 ? 'component' : 'instance', reader, spaces);
    default:
      throw reader.unexpected('an import or export');
  }
}

function readItemsType(sort: 'component' | 'instance', reader: ByteReader, spaces: IndexSpaces): ComponentItem {
  const defined = spaces.definedType(reader.u32());
  if (defined.of === sort) return { sort, items: defined.items };
  throw reader.unexpected(`the type of an ${sort}`);
}

/** The byte of a sort; those of core WebAssembly have a second one. */
export function readSort(reader: ByteReader): ComponentItem['sort'] {
  const code = reader.byte();
  if (code === 0) reader.byte();
  return sortOf(code);
}

export function readAlias(reader: ByteReader, spaces: IndexSpaces): ComponentItem {
  const sort = readSort(reader);
  const target = reader.byte();
  if (target === 0x02) {
    const outer = spaces.outer(reader.u32());
    return outer.item(sort, reader.u32());
  }
  const instance = reader.u32();
  const name = reader.text();
  if (target === 0x01) return { sort: 'other' };
  const item = spaces.itemsOf('instance', instance).get(name);
  if (item === undefined) throw new MalformedComponent(`it refers to "${name}", which instance ${instance} lacks`);
  return item;
}
