import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IntegerKind, ValueType } from '../component/component-types.ts';
import { jsonOfValue } from './json-of-value.ts';
import { rangeOf, schemaOf } from './type-schema.ts';
import { UnfitArgument, valueOfJson } from './value-of-json.ts';

interface Sample {
  readonly type: ValueType;
  readonly json: unknown;
}

const NAMES = ['a', 'b-two', 'c-3d', 'delta'];
const INTEGERS: readonly IntegerKind[] = ['s8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64'];

const integers = fc.constantFrom(...INTEGERS).chain((kind): fc.Arbitrary<Sample> => {
  const { minimum, maximum } = rangeOf(kind);
  return fc.bigInt({ min: minimum, max: maximum }).map((value) => ({
    type: { kind },
    json: Number.isSafeInteger(Number(value)) ? Number(value) : String(value),
  }));
});
const leaves: fc.Arbitrary<Sample> = fc.oneof(
  integers,
  fc.boolean().map((json): Sample => ({ type: { kind: 'bool' }, json })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((json): Sample => ({ type: { kind: 'f64' }, json })),
  fc.string({ unit: 'grapheme' }).map((json): Sample => ({ type: { kind: 'string' }, json })),
  fc.constantFrom('a', 'é', '漢', '😀').map((json): Sample => ({ type: { kind: 'char' }, json })),
  fc.constantFrom(...NAMES).map((json): Sample => ({ type: { kind: 'enum', names: NAMES }, json })),
  fc.subarray(NAMES).map((json): Sample => ({ type: { kind: 'flags', names: NAMES }, json })),
  fc.uint8Array().map(
    (bytes): Sample => ({
      type: { kind: 'list', element: { kind: 'u8' } },
      json: Buffer.from(bytes).toString('base64'),
    }),
  ),
);

/** A type with a value of it, as JSON has it. */
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4 },
    leaves,
    tie('sample').map(
      ({ type, json }): Sample => ({ type: { kind: 'list', element: type }, json: listJson(type, json) }),
    ),
    fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map(
      (parts): Sample => ({
        type: { kind: 'record', fields: parts.map(({ type }, index) => ({ name: NAMES[index] ?? '', type })) },
        json: Object.fromEntries(
          parts.flatMap(({ type, json }, index) => (isNone(type, json) ? [] : [[NAMES[index], json]])),
        ),
      }),
    ),
    fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map(
      (parts): Sample => ({
        type: { kind: 'tuple', elements: parts.map(({ type }) => type) },
        json: parts.map(({ json }) => json),
      }),
    ),
    fc.tuple(tie('sample'), fc.boolean()).map(([{ type, json }, isSome]): Sample => optionSample(type, json, isSome)),
    fc.tuple(tie('sample'), fc.boolean()).map(
      ([{ type, json }, isBare]): Sample => ({
        type: {
          kind: 'variant',
          cases: [
            { name: 'bare', type: undefined },
            { name: 'full', type },
          ],
        },
        json: isBare ? { tag: 'bare' } : { tag: 'full', val: json },
      }),
    ),
    tie('sample').map(
      ({ type, json }): Sample => ({
        type: { kind: 'result', ok: undefined, err: type },
        json: { tag: 'err', val: json },
      }),
    ),
  ),
}));

function listJson(element: ValueType, json: unknown): unknown {
  return element.kind === 'u8' ? Buffer.from([Number(json)]).toString('base64') : [json];
}

function isNone(type: ValueType, json: unknown): boolean {
  if (type.kind !== 'option') return false;
  return (
    json === null || (typeof json === 'object' && Reflect.get(json, 'tag') === 'none' && type.some.kind === 'option')
  );
}

function optionSample(some: ValueType, json: unknown, isSome: boolean): Sample {
  const type: ValueType = { kind: 'option', some };
  if (some.kind !== 'option') return { type, json: isSome ? json : null };
  return { type, json: isSome ? { tag: 'some', val: json } : { tag: 'none' } };
}

describe('values of a component as JSON', () => {
  it('come back from JSON as they were, whatever the type', () => {
    fc.assert(
      fc.property(sample, ({ type, json }) => {
        expect(jsonOfValue(type, valueOfJson(type, json, 'input'))).toEqual(json);
      }),
      { numRuns: 2_000 },
    );
  });

  it('fit the schema of their type', () => {
    fc.assert(
      fc.property(sample, ({ type, json }) => {
        for (const direction of ['input', 'output'] as const) {
          const check = new Ajv2020({ strict: false }).compile(schemaOf(type, direction));
          expect(check(json), JSON.stringify([type, json, check.errors])).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('that do not fit are refused with their place, and nothing else is thrown', () => {
    fc.assert(
      fc.property(sample, fc.jsonValue(), ({ type }, json) => {
        try {
          valueOfJson(type, json, 'input');
        } catch (error) {
          expect(error).toBeInstanceOf(UnfitArgument);
          expect(String(error)).toContain('input');
        }
      }),
    );
  });

  it('beyond what the type holds are refused, and not wrapped round', () => {
    expect(() => valueOfJson({ kind: 'u8' }, 256, 'size')).toThrow('size must be from 0 to 255');
    expect(() => valueOfJson({ kind: 's8' }, -129, 'size')).toThrow('size must be from -128 to 127');
    expect(() => valueOfJson({ kind: 'u64' }, '18446744073709551616', 'id')).toThrow('18446744073709551615');
    expect(() => valueOfJson({ kind: 'u64' }, 2 ** 60, 'id')).toThrow('as a text of digits beyond 2^53');
    expect(() => valueOfJson({ kind: 'u32' }, 1.5, 'n')).toThrow('n must be a whole number');
  });

  it('that JSON has no number for are texts', () => {
    expect(jsonOfValue({ kind: 'f64' }, Number.NaN)).toBe('NaN');
    expect(jsonOfValue({ kind: 'f32' }, Number.NEGATIVE_INFINITY)).toBe('-Infinity');
    expect(jsonOfValue({ kind: 's64' }, -(2n ** 63n))).toBe('-9223372036854775808');
  });
});
