import type { JsonObject, JsonSchema } from '@toolpost/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallStopped } from './call-stopped.ts';
import { type CheckedArguments, checkArguments } from './validate-arguments.ts';

async function check(inputSchema: JsonSchema, input: JsonObject, areWords = false): Promise<CheckedArguments> {
  return checkArguments({ name: 'tool', description: '', inputSchema }, input, { areWords });
}

async function refusal(inputSchema: JsonSchema, input: JsonObject): Promise<CallStopped> {
  const stopped = await check(inputSchema, input).catch((error: unknown) => error);
  if (stopped instanceof CallStopped) return stopped;
  throw new Error(`${JSON.stringify(input)} was taken: ${JSON.stringify(stopped)}`);
}

const PROPERTIES = {
  text: { type: 'string' },
  count: { type: 'integer' },
  ratio: { type: 'number' },
  flag: { type: 'boolean' },
  mode: { enum: ['fast', 'slow'] },
  modeOrNone: { enum: ['fast', null] },
  when: { type: 'string', format: 'date' },
  note: { type: ['string', 'null'] },
  either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  numberOrFlag: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
  list: { type: 'array', items: { type: 'integer' } },
  nested: {
    type: 'object',
    properties: { when: { type: 'string' }, deep: { type: 'object', properties: { n: { type: 'integer' } } } },
  },
  rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' }, t: { type: 'string' } } } },
  'a/b~c': { type: 'integer' },
} satisfies Record<string, JsonSchema>;
const SCHEMA: JsonSchema = { type: 'object', properties: PROPERTIES, additionalProperties: false };

describe('repair', () => {
  const taken: [title: string, input: JsonObject, got: JsonObject][] = [
    ['"5" for an integer', { count: '5' }, { count: 5 }],
    ['"1e3" for an integer', { count: '1e3' }, { count: 1000 }],
    ['"-0.5" for a number', { ratio: '-0.5' }, { ratio: -0.5 }],
    ['"2.5" for a number', { ratio: '2.5' }, { ratio: 2.5 }],
    ['"true" and "false" for booleans', { flag: 'false' }, { flag: false }],
    ['2662 for a string', { text: 2662 }, { text: '2662' }],
    ['true for a string', { text: true }, { text: 'true' }],
    ['null for an optional field', { text: 'a', when: null }, { text: 'a' }],
    ['null for an optional enum', { mode: null }, {}],
    ['null deeper', { nested: { when: null, deep: { n: null } } }, { nested: { deep: {} } }],
    ['null in an object of a list', { rows: [{ n: null, t: null }, { n: 1 }] }, { rows: [{}, { n: 1 }] }],
    ['texts in a list', { list: ['1', 2, '-3'] }, { list: [1, 2, -3] }],
    ['both ways in one object of a list', { rows: [{ n: '1', t: 2 }] }, { rows: [{ n: 1, t: '2' }] }],
    ['JSON text for a list', { list: '[1, "2"]' }, { list: [1, 2] }],
    ['JSON text for an object', { nested: '{"when":"now"}' }, { nested: { when: 'now' } }],
    ['half an emoji in JSON text for an object', { nested: '{"when":"\\ud83d"}' }, { nested: { when: '\ufffd' } }],
    ['"true" for number-or-boolean', { numberOrFlag: 'true' }, { numberOrFlag: true }],
    ['"7" for number-or-boolean', { numberOrFlag: '7' }, { numberOrFlag: 7 }],
    ['a field whose name a pointer escapes', { 'a/b~c': '1' }, { 'a/b~c': 1 }],
  ];
  test.each(taken)('%s', async (_title, input, got) => {
    const before = structuredClone(input);
    const checked = await check(SCHEMA, input);
    expect(checked.input).toEqual(got);
    expect(checked.repairs.length).toBeGreaterThan(0);
    expect(input).toEqual(before);
  });

  const untouched: JsonObject[] = [
    { text: '1' },
    { text: 'true', when: 'null' },
    { note: null },
    { modeOrNone: null },
    { either: '1' },
    { either: 1 },
    { text: 'e\u0301 \u{1F600}\n\t"\\' },
    { ratio: 1e300, count: -0 },
  ];
  test.each(untouched)('%j stays, and stays the same object', async (input) => {
    const checked = await check(SCHEMA, input);
    expect(checked.input).toBe(input);
    expect(checked.repairs).toEqual([]);
  });

  const refused: [title: string, input: JsonObject, named: string[]][] = [
    ['"3.5" for an integer', { count: '3.5' }, ['count', 'integer', '"3.5"']],
    ['"" for an integer', { count: '' }, ['count', '""']],
    ['"abc" for a number', { ratio: 'abc' }, ['ratio', 'number', '"abc"']],
    ['" 5" for an integer', { count: ' 5' }, ['count']],
    ['"0x10" for an integer', { count: '0x10' }, ['count']],
    ['"Infinity" for a number', { ratio: 'Infinity' }, ['ratio']],
    ['"1e999" for a number', { ratio: '1e999' }, ['ratio']],
    ['"yes" for a boolean', { flag: 'yes' }, ['flag', 'boolean', '"yes"']],
    ['1 for a boolean', { flag: 1 }, ['flag', 'boolean', '1']],
    ['an integer whose digits a number cannot hold', { count: '9007199254740993' }, ['count', '"9007199254740993"']],
    ['the same for a number', { ratio: '9007199254740993' }, ['ratio', '"9007199254740993"']],
    ['a number that lost digits, for a string', JSON.parse('{"text":12345678901234567890}'), ['text', 'string']],
    ['a value outside the enum', { mode: 'sideways' }, ['mode', 'fast', 'slow', '"sideways"']],
    ['null in a list', { list: [1, null] }, ['list[1]', 'integer', 'null']],
    ['a list for a string', { text: ['a'] }, ['text', 'string', '["a"]']],
    ['broken JSON text for an object', { nested: '{"when":' }, ['nested', 'object']],
    ['a field that does not exist', { txet: 'a' }, ['txet', 'no such field']],
    ['a field of a nested object', { nested: { deep: { n: 'x' } } }, ['nested.deep.n', 'integer', '"x"']],
  ];
  test.each(refused)('%s is refused and named', async (_title, input, named) => {
    const { outcome, message } = await refusal(SCHEMA, input);
    expect(outcome).toBe('invalid-input');
    for (const part of named) expect(message).toContain(part);
  });

  test('a missing required field is named, also when it came as null', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    expect((await refusal(schema, {})).message).toContain('name: required, but missing');
    expect((await refusal(schema, { name: null })).message).toContain('name: expected string, got null');
  });

  test('what is told is what the repairs left, with the repaired values', async () => {
    const most9 = { type: 'integer', maximum: 9 };
    const schema = {
      type: 'object',
      properties: {
        seats: most9,
        rows: { type: 'array', items: most9 },
        flag: { type: 'boolean' },
        a: { type: 'string' },
      },
      required: ['a', 'b/c'],
    };
    const { message } = await refusal(schema, { seats: '12', rows: ['3', '10'], flag: 'true', a: null, 'b/c': null });
    expect(message.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- seats: must be <= 9, got 12',
      '- rows[1]: must be <= 9, got 10',
      '- a: expected string, got null',
    ]);
  });

  test('a lone word is a list of one only where words are given and the schema wants a list', async () => {
    expect((await check(SCHEMA, { list: '5' }, true)).input).toEqual({ list: [5] });
    expect((await check(SCHEMA, { list: '[5, 6]' }, true)).input).toEqual({ list: [5, 6] });
    expect((await refusal(SCHEMA, { list: '5' })).message).toContain('list: expected array, got "5"');
    const either = { type: 'object', properties: { f: { anyOf: [{ type: 'string' }, { type: 'array' }] } } };
    expect((await check(either, { f: 'a' }, true)).input).toEqual({ f: 'a' });
    const texts = { type: 'object', properties: { files: { type: 'array', items: { type: 'string' } } } };
    expect(await check(texts, { files: 'a' }, true)).toEqual({
      input: { files: ['a'] },
      repairs: [{ path: '/files', from: 'a', to: ['a'] }],
    });
  });

  test('each repair is recorded with its place, what came and what it became', async () => {
    const { repairs } = await check(SCHEMA, { count: '5', nested: { when: null } });
    expect(repairs).toEqual([
      { path: '/count', from: '5', to: 5 },
      { path: '/nested/when', from: null },
    ]);
  });

  test('a hundred thousand wrong items, and an enum of thousands, make a short text', async () => {
    const many = await refusal(SCHEMA, { list: Array.from({ length: 100_000 }, () => 'x') });
    expect(many.message.length).toBeLessThan(2000);
    expect(many.message).toMatch(/and \d+ more/);
    const choices = Array.from({ length: 5000 }, (_, index) => `choice-${index}`);
    const long = await refusal({ type: 'object', properties: { c: { enum: choices } } }, { c: 'x' });
    expect(long.message.length).toBeLessThan(4000);
    expect(long.message).toContain('or 4950 others');
  });
});

/** Schemas of the keywords that tools use, and values that may or may not fit them. */
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema; leaf: JsonSchema }>((tie) => ({
  leaf: fc.oneof(
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: ['string', 'null'] }, { const: 'c' }, {}),
    fc.record({ type: fc.constant('string'), minLength: fc.nat(8), maxLength: fc.integer({ min: 8, max: 12 }) }),
    fc.record({
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.integer({ min: -5, max: 5 }),
      maximum: fc.integer({ min: 5, max: 9 }),
    }),
    fc.record({
      type: fc.constant('integer'),
      multipleOf: fc.integer({ min: 1, max: 7 }),
      exclusiveMinimum: fc.integer({ min: -9, max: 9 }),
    }),
    fc.record({
      type: fc.constant('number'),
      exclusiveMinimum: fc.constant(0),
      exclusiveMaximum: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom<unknown>('a', 'b', 1, true, null), { minLength: 1 }) }),
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('date', 'email', 'uuid'),
      default: fc.constantFrom('', 5),
    }),
    fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^[a-z]+$', '^\\d{3}$', '^[A-Z]', '\\.') }),
  ),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    objectSchema(tie('schema')),
  ),
}));

function objectSchema(member: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> {
  const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), member);
  return fc.record({ properties, extra: fc.boolean(), keep: fc.nat(4) }).map(({ properties: fields, extra, keep }) => ({
    type: 'object',
    properties: fields,
    required: Object.keys(fields).slice(0, keep),
    ...(extra && { additionalProperties: false }),
  }));
}

const toolSchema = objectSchema(anySchema);
const anyInput = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>('5', '1.5', 'true', 'null', null, '[]', '{}', 7)),
);

function isValid(schema: JsonSchema, input: unknown): boolean {
  return new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, meta: false }).validate(
    schema,
    input,
  );
}

test('valid arguments are never touched, repaired ones are valid, and every error shows an example that is', async () => {
  let refusals = 0;
  let examples = 0;
  await fc.assert(
    fc.asyncProperty(toolSchema, anyInput, async (schema, given) => {
      const input = JSON.parse(JSON.stringify(given)) as JsonObject;
      const before = structuredClone(input);
      const result = await check(schema, input).catch((error: unknown) => error);
      expect(input).toEqual(before);
      if (!(result instanceof CallStopped)) {
        const { input: final, repairs } = result as CheckedArguments;
        expect(isValid(schema, final)).toBe(true);
        expect(final === input).toBe(repairs.length === 0);
        return;
      }
      expect(isValid(schema, input)).toBe(false);
      refusals += 1;
      const [, example] = /An example that is valid: (.*)$/s.exec(result.message) ?? [];
      if (example === undefined) return;
      examples += 1;
      expect(isValid(schema, JSON.parse(example))).toBe(true);
    }),
    { numRuns: 200 },
  );
  // Some schemas have no valid arguments, or only ones that are hard to guess.
  expect(examples / Math.max(1, refusals)).toBeGreaterThan(0.8);
}, 60_000);

describe('schemas', () => {
  const unusable: [title: string, schema: JsonSchema][] = [
    ['a $ref to another host', { type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } }],
    ['a $ref to nothing', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['a type that does not exist', { type: 'object', properties: { a: { type: 'text' } } }],
    ['a $ref to itself', { $ref: '#' }],
    [
      'allOf in a circle',
      { $ref: '#/$defs/A', $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } } },
    ],
    ['a pattern that is no pattern', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ];
  test.each(unusable)('%s fails the call with the reason, and the next call too', async (_title, schema) => {
    for (let time = 0; time < 2; time++) {
      const { outcome, message } = await refusal(schema, { a: 'x' });
      expect(outcome).toBe('failed');
      expect(message).toContain('The input schema of the tool tool cannot be used');
    }
  });

  test('a recursive schema that ends checks and repairs at every level', async () => {
    const schema = {
      type: 'object',
      $defs: { node: { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#/$defs/node' } } } },
      properties: { root: { $ref: '#/$defs/node' } },
    };
    expect((await check(schema, { root: { n: 1, next: { next: { n: '3' } } } })).input).toEqual({
      root: { n: 1, next: { next: { n: 3 } } },
    });
  });

  test('a tuple is checked in the words of draft-07, named or not, and of 2020-12', async () => {
    const tuple = [{ type: 'string' }, { type: 'integer' }];
    const ways: JsonSchema[] = [
      { type: 'object', properties: { pair: { type: 'array', items: tuple } } },
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { pair: { type: 'array', items: tuple } },
      },
      {
        $schema: 'https://json-schema.org/draft-07/schema',
        type: 'object',
        properties: { pair: { type: 'array', items: tuple } },
      },
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { pair: { type: 'array', prefixItems: tuple } },
      },
      { type: 'object', properties: { pair: { type: 'array', prefixItems: tuple } } },
    ];
    for (const schema of ways) {
      expect((await check(schema, { pair: ['a', '2'] })).input).toEqual({ pair: ['a', 2] });
      expect((await refusal(schema, { pair: ['a', 'b'] })).message).toContain('pair[1]');
    }
  });

  test('one $id in two tools, at the top or within, means two schemas', async () => {
    const within = (type: string): JsonSchema => ({
      $id: 'https://example.com/tool',
      type: 'object',
      $defs: { a: { $id: 'https://example.com/a', type } },
      properties: { a: { $ref: 'https://example.com/a' } },
    });
    expect((await check(within('integer'), { a: 1 })).input).toEqual({ a: 1 });
    expect((await check(within('string'), { a: 'x' })).input).toEqual({ a: 'x' });
    expect((await refusal(within('integer'), { a: 'x' })).message).toContain('integer');
  });

  test('a $ref through the own $id is resolved', async () => {
    const schema = {
      $id: 'https://example.com/own.json',
      type: 'object',
      $defs: { n: { type: 'integer' } },
      properties: { n: { $ref: 'https://example.com/own.json#/$defs/n' } },
    };
    expect((await check(schema, { n: '4' })).input).toEqual({ n: 4 });
  });

  test('a pattern in the older syntax is used as its author meant it', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^[\\w\\_\\@]+$' } } };
    expect((await check(schema, { a: 'a_@' })).input).toEqual({ a: 'a_@' });
    expect((await refusal(schema, { a: 'a b' })).message).toContain('pattern');
  });

  test('a pattern that would take for ever on a text is given up, and the refusal says so', async () => {
    for (const a of [
      { type: 'string', pattern: '^(a+)+$' },
      { type: 'string', pattern: 'a*a*a*a*a*a*a*b' },
    ]) {
      const schema = { type: 'object', properties: { a } };
      expect((await check(schema, { a: 'aaab'.slice(0, a.pattern.startsWith('^') ? 3 : 4) })).repairs).toEqual([]);
      const stopped = await refusal(schema, { a: `${'a'.repeat(2000)}!` });
      expect(stopped).toMatchObject({ outcome: 'failed', message: expect.stringContaining('1000 ms') });
    }
  });

  test('references that double the work at each level are given up', async () => {
    const twice = (name: string) => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const levels = Array.from({ length: 40 }, (_, index) => [`d${index}`, twice(`d${index + 1}`)]);
    const schema = {
      type: 'object',
      $defs: { ...Object.fromEntries(levels), d40: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/d0' } },
    };
    expect((await refusal(schema, { a: 'x' })).message).toContain('1000 ms');
  });

  test('nullable, as OpenAPI writes it, allows null', async () => {
    for (const inner of [
      { type: 'string', nullable: true },
      { anyOf: [{ type: 'string' }], nullable: true },
    ]) {
      const schema = { type: 'object', properties: { a: inner, nullable: { const: { nullable: true } } } };
      for (const input of [{ a: 'x' }, { a: null }, { nullable: { nullable: true } }])
        expect((await check(schema, input)).input).toBe(input);
    }
  });
});
