import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile-schema.ts';
import { plainCheckOf } from './plain-check.ts';

const name = fc.constantFrom('a', 'b', 'constructor', 'toString');
const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 'red', 1, [], {}, undefined),
);
const field = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean'), description: fc.string() }),
  fc.constantFrom({ type: 'string', enum: ['red', 'green'] }, { type: 'integer', enum: [1, 2] }),
);
const schema = fc
  .record({ properties: fc.dictionary(name, field), additionalProperties: fc.boolean() })
  .map(({ properties, ...rest }) => ({
    type: 'object',
    properties,
    required: Object.keys(properties).slice(0, 1),
    ...rest,
  }));

describe('the plain check', () => {
  it('agrees with the full validator on every schema that it understands', async () => {
    const run = async (given: Record<string, unknown>, input: Record<string, unknown>) => {
      const check = plainCheckOf(given);
      expect(check).toBeDefined();
      const json = JSON.parse(JSON.stringify(input));
      expect(check?.(json)).toBe((await compileSchema(given))(json));
    };
    await fc.assert(fc.asyncProperty(schema, fc.dictionary(name, value), run), { numRuns: 300 });
  });

  it.each([
    ['a pattern', { a: { type: 'string', pattern: '^x' } }],
    ['two types', { a: { type: ['string', 'null'] } }],
    ['a list', { a: { type: 'array', items: {} } }],
    ['no type', { a: {} }],
    ['a reference', { a: { $ref: '#/$defs/a' } }],
  ])('leaves %s to the full validator', (_title, properties) => {
    expect(plainCheckOf({ type: 'object', properties })).toBeUndefined();
  });

  it('leaves what stands beside the properties to the full validator', () => {
    expect(plainCheckOf({ type: 'object', properties: {}, minProperties: 1 })).toBeUndefined();
    expect(plainCheckOf({ type: 'object', properties: {}, required: ['a'] })).toBeUndefined();
  });
});
