import type { JsonObject } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { type FieldAnswer, fieldsOf, promptOf, readField } from './form-field.ts';

function read(schema: JsonObject, said: string, isRequired = false): FieldAnswer {
  return readField({ name: 'f', schema, isRequired }, said);
}

const taken: [schema: JsonObject, said: string, value: unknown][] = [
  [{ type: 'string' }, ' Bob ', ' Bob '],
  [{}, 'anything', 'anything'],
  [{ type: 'string', default: 'x' }, '', 'x'],
  [{ type: 'integer' }, '42', 42],
  [{ type: 'number', maximum: 1 }, ' -0.5 ', -0.5],
  [{ type: 'boolean' }, 'Y', true],
  [{ type: 'boolean' }, 'no', false],
  [{ type: 'boolean', default: false }, ' ', false],
  [{ enum: ['red', 'Red', 7] }, 'Red', 'Red'],
  [{ enum: ['red', 'blue'] }, 'BLUE', 'blue'],
  [{ enum: ['a', 7] }, '7', 7],
];
test.each(taken)('%j takes %j', (schema, said, value) => {
  expect(read(schema, said)).toEqual({ value });
});

const refused: [schema: JsonObject, said: string, problem: RegExp][] = [
  [{ type: 'integer' }, '1.5', /whole number/],
  [{ type: 'integer' }, '9007199254740993', /whole number/],
  [{ type: 'number' }, 'x', /no number/],
  [{ type: 'number', minimum: 1 }, '0', /less than 1/],
  [{ type: 'number', maximum: 1 }, '2', /more than 1/],
  [{ type: 'boolean' }, 'maybe', /y or n/],
  [{ enum: ['red'] }, 'green', /none of these/],
  [{ type: 'string', minLength: 2 }, '😀', /shorter than 2/],
  [{ type: 'string', maxLength: 1 }, 'ab', /longer than 1/],
  [{ type: 'object' }, '{}', /"object".*cannot be typed/],
];
test.each(refused)('%j refuses %j', (schema, said, problem) => {
  expect(read(schema, said)).toEqual({ problem: expect.stringMatching(problem) });
});

test('nothing is nothing where the field is optional, and a problem where it is required', () => {
  expect(read({ type: 'string' }, '  ')).toBeUndefined();
  expect(read({ type: 'string' }, '', true)).toEqual({ problem: 'it is required' });
});

test('the fields of a schema that is no form are none, and what a plugin says is shown as it is', () => {
  expect(fieldsOf({})).toEqual([]);
  expect(fieldsOf({ properties: 5, required: 'x' })).toEqual([]);
  const [field] = fieldsOf({
    properties: { 'a\u001b[2J': { description: 'b\u202e\nc', enum: ['\u0007'], default: '\r' } },
  });
  expect(field && promptOf(field)).toBe('  a\\u001b[2J (b\\u202e\\nc; one of \\u0007) [\\u000d]: ');
  expect(promptOf({ name: 'n', schema: { type: 'integer' }, isRequired: false })).toBe(
    '  n (a whole number; optional): ',
  );
});
