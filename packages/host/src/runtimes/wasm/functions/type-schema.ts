import type { JsonObject } from '@toolpost/protocol';
import type { Case, IntegerKind, NamedType, ValueType } from '../component/component-types.ts';

/** More parts than this in one schema is a type that doubles itself, and nothing that a model reads. */
const MAX_PARTS = 2_000;
const INTEGER_BITS: Readonly<Record<IntegerKind, number>> = {
  s8: 8,
  u8: 8,
  s16: 16,
  u16: 16,
  s32: 32,
  u32: 32,
  s64: 64,
  u64: 64,
};

/** A type whose values cannot be written as JSON; the message is the end of a sentence. */
export class NoSchema extends Error {
  override readonly name = 'NoSchema';
}

/** A JSON Schema for the values of a type, as value-of-json.ts takes and gives them. `output` has what only results hold. */
export function schemaOf(type: ValueType, direction: 'input' | 'output'): JsonObject {
  return new SchemaWriter(direction).write(type);
}

/** An object with a property for each: those that may be missing are options. */
export function objectSchema(fields: readonly NamedType[], direction: 'input' | 'output'): JsonObject {
  return new SchemaWriter(direction).object(fields);
}

export function rangeOf(kind: IntegerKind): { minimum: bigint; maximum: bigint } {
  const bits = BigInt(INTEGER_BITS[kind]);
  const values = 1n << bits;
  return kind.startsWith('u')
    ? { minimum: 0n, maximum: values - 1n }
    : { minimum: -(values / 2n), maximum: values / 2n - 1n };
}

class SchemaWriter {
  readonly #direction: 'input' | 'output';
  #parts = 0;

  constructor(direction: 'input' | 'output') {
    this.#direction = direction;
  }

  write(type: ValueType): JsonObject {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) throw new NoSchema(`has a type of more than ${MAX_PARTS} parts`);
    switch (type.kind) {
      case 'bool':
        return { type: 'boolean' };
      case 'f32':
      case 'f64':
        return this.#float();
      case 'char':
        return { type: 'string', minLength: 1, maxLength: 1 };
      case 'string':
        return { type: 'string' };
      case 'record':
        return this.object(type.fields);
      case 'tuple':
        return this.#tuple(type.elements);
      case 'list':
        return this.#list(type);
      case 'enum':
        return { type: 'string', enum: [...type.names] };
      case 'flags':
        return { type: 'array', items: { type: 'string', enum: [...type.names] }, uniqueItems: true };
      case 'variant':
        return this.#choice(type.cases);
      case 'result':
        return this.#choice([
          { name: 'ok', type: type.ok },
          { name: 'err', type: type.err },
        ]);
      case 'option':
        return this.#option(type.some);
      case 'opaque':
        throw new NoSchema(`takes or gives ${type.what}, which has no form outside of the component`);
      default:
        return integerSchema(type.kind);
    }
  }

  object(fields: readonly NamedType[]): JsonObject {
    const properties = Object.fromEntries(
      fields.map(({ name, type }) => [name, this.write(isPlainOption(type) ? type.some : type)]),
    );
    const required = fields.filter(({ type }) => type.kind !== 'option').map(({ name }) => name);
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  #float(): JsonObject {
    if (this.#direction === 'input') return { type: 'number' };
    return { anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', 'Infinity', '-Infinity'] }] };
  }

  #tuple(elements: readonly ValueType[]): JsonObject {
    const prefixItems = elements.map((element) => this.write(element));
    return { type: 'array', prefixItems, items: false, minItems: elements.length, maxItems: elements.length };
  }

  #list({ element, length }: { element: ValueType; length?: number }): JsonObject {
    if (element.kind === 'u8') return { type: 'string', contentEncoding: 'base64' };
    const fixed = length === undefined ? {} : { minItems: length, maxItems: length };
    return { type: 'array', items: this.write(element), ...fixed };
  }

  /** Null stands for none, where it cannot be mistaken for a none inside. */
  #option(some: ValueType): JsonObject {
    if (some.kind !== 'option') return { anyOf: [this.write(some), { type: 'null' }] };
    return this.#choice([
      { name: 'none', type: undefined },
      { name: 'some', type: some },
    ]);
  }

  #choice(cases: readonly Case[]): JsonObject {
    const anyOf = cases.map(({ name, type }) => {
      const tag = { type: 'string', const: name };
      if (type === undefined) return { type: 'object', properties: { tag }, required: ['tag'] };
      return { type: 'object', properties: { tag, val: this.write(type) }, required: ['tag', 'val'] };
    });
    return { anyOf };
  }
}

/** An option that a missing property stands for. */
export function isPlainOption(type: ValueType): type is ValueType & { kind: 'option' } {
  return type.kind === 'option' && type.some.kind !== 'option';
}

/** What a JSON number cannot hold exactly may be a text of digits. */
function integerSchema(kind: IntegerKind): JsonObject {
  const { minimum, maximum } = rangeOf(kind);
  if (INTEGER_BITS[kind] <= 32) return { type: 'integer', minimum: Number(minimum), maximum: Number(maximum) };
  return { type: ['integer', 'string'], pattern: kind === 'u64' ? '^[0-9]{1,20}$' : '^-?[0-9]{1,19}$' };
}
