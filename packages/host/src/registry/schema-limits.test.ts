import { expect, test } from 'vitest';
import { schemaLimitProblem } from './schema-limits.ts';

function nested(levels: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { a: schema } };
  return schema;
}

test('a schema of 20,000 levels is refused without a stack overflow', () => {
  expect(schemaLimitProblem(nested(20_000))).toContain('levels deep');
});

test('one as deep as people write them is taken', () => {
  expect(schemaLimitProblem(nested(20))).toBeUndefined();
});

test('one of a hundred thousand parts is refused', () => {
  const properties = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`p${index}`, {}]));
  expect(schemaLimitProblem({ type: 'object', properties })).toContain('parts');
});

test('one whose descriptions are a book is refused', () => {
  expect(schemaLimitProblem({ type: 'object', description: 'x'.repeat(2_000_000) })).toContain('characters');
});

test('one that refers to itself as an object is refused, not walked for ever', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema.properties = { a: schema };
  expect(schemaLimitProblem(schema)).toContain('levels deep');
});
