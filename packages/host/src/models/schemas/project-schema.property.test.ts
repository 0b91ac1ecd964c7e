import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { projectSchema } from './project-schema.ts';
import { PROVIDER_FAMILIES } from './provider-family.ts';

/** A schema with a value that it lets through. */
interface Sample {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((value): Sample => ({ schema: { type: 'string' }, value })),
  fc.string().map((value): Sample => ({ schema: { $ref: '#/$defs/text' }, value })),
  fc.integer().map((value): Sample => ({ schema: { type: 'integer', exclusiveMinimum: value - 1 }, value })),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value): Sample => ({ schema: { type: 'number' }, value })),
  fc.constantFrom('a', 1, null, true).map((value): Sample => ({ schema: { enum: ['a', 1, null, true] }, value })),
  fc.constantFrom('x', '', 7, false, null).map((value): Sample => ({ schema: { const: value }, value })),
  fc.constantFrom('', 'a', null).map((value): Sample => ({ schema: { enum: ['', 'a', null] }, value })),
  fc.constant(null).map((value): Sample => ({ schema: { type: ['string', 'null'], enum: [null] }, value })),
  fc.constantFrom(null, 'text').map((value): Sample => ({ schema: { type: 'string', nullable: true }, value })),
  fc.jsonValue({ maxDepth: 1 }).map((value): Sample => ({ schema: {}, value })),
);

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('sample'), { maxLength: 3 }).map(objectOf),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map(
      (parts): Sample => ({
        schema: { type: 'array', prefixItems: parts.map(({ schema }) => schema), minItems: parts.length },
        value: parts.map(({ value }) => value),
      }),
    ),
    tie('sample').map(({ schema, value }): Sample => ({ schema: { type: 'array', items: schema }, value: [value] })),
    fc.tuple(tie('sample'), tie('sample'), fc.constantFrom('anyOf', 'oneOf')).map(
      ([one, other, union]): Sample => ({
        schema: { [union]: [one.schema, { type: 'null' }, ...(union === 'anyOf' ? [other.schema] : [])] },
        value: one.value,
      }),
    ),
  ),
}));

function objectOf(parts: readonly Sample[]): Sample {
  const fields = parts.map((part, index) => [`f${index}`, part] as const);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      required: fields.map(([name]) => name),
    },
    value: Object.fromEntries(fields.map(([name, { value }]) => [name, value])),
  };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Gemini's `nullable` means null beside whatever else stands there. */
function readable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readable);
  if (!isJsonObject(schema)) return schema;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, readable(value)]),
  );
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

it.each(PROVIDER_FAMILIES)('a value that the schema lets through is let through by what %s gets', (family) => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 3 }).map(objectOf), ({ schema, value }) => {
      const root = { ...schema, $defs: { text: { type: 'string' } } };
      fc.pre(ajv.validate(root, value));
      const projection = projectSchema(root, family);
      if (!projection.isOffered) throw new Error(projection.reason);
      const check = ajv.compile(readable(projection.schema) as JsonSchema);
      expect(check(value) || hasFreeValue(projection.schema), JSON.stringify([root, value, projection.schema])).toBe(
        true,
      );
    }),
    { numRuns: 150 },
  );
});

/** Where anything may stand, Gemini is asked for a text. */
function hasFreeValue(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('as JSON text.');
}

it('what Gemini gets has a type or alternatives everywhere, and no word that it does not know', () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 3 }).map(objectOf), ({ schema }) => {
      const projection = projectSchema({ ...schema, $defs: { text: { type: 'string' } } }, 'gemini');
      if (!projection.isOffered) throw new Error(projection.reason);
      checkGemini(projection.schema);
    }),
    { numRuns: 300 },
  );
});

const WORDS =
  /^(?:type|title|description|default|nullable|enum|items|properties|required|anyOf|format|pattern|(?:min|max)(?:imum|Items|Length|Properties))$/;

function checkGemini(schema: unknown): void {
  if (!isJsonObject(schema)) throw new Error(`no schema: ${JSON.stringify(schema)}`);
  for (const word of Object.keys(schema)) expect(word).toMatch(WORDS);
  expect(typeof schema.type === 'string' || Array.isArray(schema.anyOf)).toBe(true);
  if (schema.enum !== undefined) {
    expect(schema.type).toBe('string');
    expect(schema.enum).toEqual(expect.arrayContaining([expect.stringMatching(/./)]));
    expect(schema.enum).not.toContain('');
  }
  if (isJsonObject(schema.properties)) for (const inner of Object.values(schema.properties)) checkGemini(inner);
  if (schema.items !== undefined) checkGemini(schema.items);
  if (Array.isArray(schema.anyOf)) for (const inner of schema.anyOf) checkGemini(inner);
}
