import type { JsonSchema } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { unknownArguments } from './unknown-arguments.ts';

const properties = { name: { type: 'string' }, loud: { type: 'boolean' } };

function unknownTo(inputSchema: JsonSchema): string[] {
  return unknownArguments({ name: 'hello', description: '', inputSchema }, { name: 'Bob', nme: 'Ann', x: 1 });
}

test('an argument that the schema does not name is told, with near names or all of them', () => {
  expect(unknownTo({ type: 'object', properties })).toEqual([
    'hello has no argument "nme": did you mean name?',
    'hello has no argument "x": it has name, loud',
  ]);
});

test.each<[why: string, schema: JsonSchema]>([
  ['takes anything', { type: 'object' }],
  ['names nothing, as a tool does that reads its text itself', { type: 'object', properties: {} }],
  ['takes more on purpose', { type: 'object', properties, additionalProperties: true }],
  ['has a schema for more', { type: 'object', properties, additionalProperties: { type: 'string' } }],
  ['has a pattern for more', { type: 'object', properties, patternProperties: { '^x': {} } }],
  ['names more elsewhere', { type: 'object', properties, allOf: [{ properties: { nme: {} } }] }],
  ['refuses them itself', { type: 'object', properties, additionalProperties: false }],
])('nothing is told where a schema %s', (_, schema) => {
  expect(unknownTo(schema)).toEqual([]);
});
