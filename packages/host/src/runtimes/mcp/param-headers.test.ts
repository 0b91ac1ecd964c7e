import { expect, test } from 'vitest';
import { paramHeaderProblem, paramHeaders } from './param-headers.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' };
const schemaOf = (properties: object) => ({ type: 'object', properties });

test.each([
  ['eu-west', 'eu-west'],
  ['two words', 'two words'],
  [' edges ', '=?base64?IGVkZ2VzIA==?='],
  ['Zoë', '=?base64?Wm/Dqw==?='],
  ['', '=?base64??='],
  ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ['a\r\nEvil: 1', '=?base64?YQ0KRXZpbDogMQ==?='],
])('the argument %j is the header %j', (value, header) => {
  expect(paramHeaders(schemaOf({ region }), { region: value })).toEqual({ 'Mcp-Param-Region': header });
});

test('numbers, booleans and arguments inside others are mirrored; what is absent or something else is not', () => {
  const schema = schemaOf({
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    isDry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    where: schemaOf({ region }),
    gone: { type: 'string', 'x-mcp-header': 'Gone' },
    odd: { type: 'string', 'x-mcp-header': 'Odd' },
  });
  const input = { count: 5, isDry: false, where: { region: 'eu' }, odd: { a: 1 } };
  expect(paramHeaderProblem(schema)).toBeUndefined();
  expect(paramHeaders(schema, input)).toEqual({
    'Mcp-Param-Count': '5',
    'Mcp-Param-Dry': 'false',
    'Mcp-Param-Region': 'eu',
  });
});

test.each([
  [schemaOf({ a: { ...region, 'x-mcp-header': 'no good' } }), 'x-mcp-header of a is no header\'s name: "no good"'],
  [schemaOf({ a: { ...region, 'x-mcp-header': 5 } }), "x-mcp-header of a is no header's name: 5"],
  [schemaOf({ a: { ...region, type: 'object' } }), 'x-mcp-header of a: its type is "object"'],
  [schemaOf({ a: region, b: { ...region, 'x-mcp-header': 'REGION' } }), 'another argument has the header "REGION"'],
  [
    schemaOf({ a: { type: 'array', items: region } }),
    'x-mcp-header of a.items stands where no argument is for certain',
  ],
  [{ type: 'object', oneOf: [schemaOf({ a: region })] }, 'x-mcp-header of oneOf.a stands where'],
  [{ type: 'object', $defs: { R: region } }, 'x-mcp-header of $defs stands where'],
  [{ ...region, type: 'object' }, 'x-mcp-header of the schema itself stands where'],
])('a schema that asks for what cannot be sent says so: %j', (schema, problem) => {
  expect(paramHeaderProblem(schema)).toContain(problem);
});
