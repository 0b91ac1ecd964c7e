import type { JsonSchema } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { projectSchema } from './project-schema.ts';
import { PROVIDER_FAMILIES, type ProviderFamily } from './provider-family.ts';
import { unwrapArguments } from './unwrap-arguments.ts';

function project(schema: JsonSchema, family: ProviderFamily): JsonSchema {
  const projection = projectSchema(schema, family);
  if (!projection.isOffered) throw new Error(projection.reason);
  return projection.schema;
}

/** As one argument `value` of an object. */
function projectArgument(schema: JsonSchema, family: ProviderFamily): unknown {
  const { properties } = project({ type: 'object', properties: { value: schema } }, family);
  return (properties as JsonSchema).value;
}

describe('projectSchema', () => {
  it.each(PROVIDER_FAMILIES)('gives a tool without parameters an object with properties (%s)', (family) => {
    for (const schema of [
      {},
      { type: 'object' },
      { type: 'object', $schema: 'https://json-schema.org/draft/2020-12/schema' },
    ])
      expect(project(schema, family)).toEqual({ type: 'object', properties: {} });
  });

  it.each(PROVIDER_FAMILIES)('writes local references out and leaves no definitions (%s)', (family) => {
    const schema = {
      type: 'object',
      properties: {
        filter: { $ref: '#/$defs/Filter', description: 'What to keep' },
        again: { $ref: '#/definitions/a~1b' },
      },
      $defs: { Filter: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
      definitions: { 'a/b': { type: 'integer' } },
    };
    expect(project(schema, family)).toMatchObject({
      properties: {
        filter: {
          type: 'object',
          description: 'What to keep',
          properties: { text: { type: 'string' } },
          required: ['text'],
        },
        again: { type: 'integer' },
      },
    });
    expect(JSON.stringify(project(schema, family))).not.toMatch(/\$ref|\$defs|definitions/);
  });

  it.each(PROVIDER_FAMILIES)('cuts a recursive type where it repeats itself, with its kind and name (%s)', (family) => {
    const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } } };
    const text = JSON.stringify(
      project({ type: 'object', properties: { root: { $ref: '#/$defs/Node' } }, $defs: { Node: node } }, family),
    );
    expect(text).toContain('Another Node.');
    expect(text.match(/"name"/g)?.length).toBe(2);
  });

  it('finds a schema by its anchor, by its $id, and as the root itself', () => {
    const schema = {
      $id: 'https://example.org/root',
      type: 'object',
      properties: {
        a: { $ref: '#word' },
        b: { $ref: 'https://example.org/word#' },
        c: { $ref: 'https://example.org/root#/$defs/number' },
      },
      $defs: { word: { $anchor: 'word', $id: 'https://example.org/word', type: 'string' }, number: { type: 'number' } },
    };
    expect(project(schema, 'anthropic').properties).toEqual({
      a: { type: 'string' },
      b: { type: 'string' },
      c: { type: 'number' },
    });
  });

  it('refuses a reference to elsewhere, and one to nothing, by name', () => {
    const elsewhere = projectSchema(
      { type: 'object', properties: { a: { $ref: 'https://example.org/x.json' } } },
      'openai',
    );
    expect(elsewhere).toEqual({ isOffered: false, reason: expect.stringContaining('https://example.org/x.json') });
    const nothing = projectSchema({ type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }, 'openai');
    expect(nothing).toEqual({
      isOffered: false,
      reason: expect.stringContaining('#/$defs/gone, which it does not have'),
    });
  });

  it('refuses definitions that double one another without writing them out', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } } },
      ]),
    );
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { ...$defs, d40: { type: 'string' } },
    };
    expect(projectSchema(schema, 'gemini')).toEqual({
      isOffered: false,
      reason: expect.stringContaining('more than 5000 parts'),
    });
  });

  it.each(['openai', 'gemini'] as const)('gives arrays items and turns tuples into alternatives (%s)', (family) => {
    expect(projectArgument({ type: 'array' }, family)).toEqual({
      type: 'array',
      items: family === 'gemini' ? { type: 'string' } : {},
    });
    for (const tuple of [
      { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    ])
      expect(projectArgument({ type: 'array', ...tuple }, family)).toEqual({
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        maxItems: 2,
      });
  });

  it('keeps tuples for providers that read draft 2020-12, in its own words', () => {
    expect(projectArgument({ type: 'array', items: [{ type: 'string' }] }, 'anthropic')).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }],
    });
  });

  it('fills items two levels down', () => {
    expect(projectArgument({ type: 'array', items: { type: 'array' } }, 'openai')).toEqual({
      type: 'array',
      items: { type: 'array', items: {} },
    });
  });

  it.each(PROVIDER_FAMILIES)('wraps a union at the top in one argument, and takes it off again (%s)', (family) => {
    const schema = {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'array', items: { type: 'string' } },
      ],
    };
    expect(projectSchema(schema, family)).toMatchObject({
      isOffered: true,
      wrappedIn: 'input',
      schema: { type: 'object', required: ['input'] },
    });
    expect(unwrapArguments('{"input":{"a":"x"}}', 'input')).toBe('{"a":"x"}');
    expect(unwrapArguments('{"a":"x"}', 'input')).toBe('{"a":"x"}');
    expect(unwrapArguments('{"input":', 'input')).toBe('{"input":');
  });

  it.each(PROVIDER_FAMILIES)('says alternatives that only require different fields in words (%s)', (family) => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' }, url: { type: 'string' } },
      anyOf: [{ required: ['path'] }, { required: ['url'] }],
    };
    const projection = projectSchema(schema, family);
    expect(projection).toMatchObject({ isOffered: true, schema: { description: 'Give path, or url.' } });
    expect(projection.isOffered && projection.wrappedIn).toBeUndefined();
    expect(JSON.stringify(projection)).not.toContain('anyOf');
  });

  it.each(PROVIDER_FAMILIES)('merges what an allOf at the top brings together (%s)', (family) => {
    const schema = {
      allOf: [{ $ref: '#/$defs/base' }, { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] }],
      $defs: { base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    };
    expect(project(schema, family)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: expect.arrayContaining(['a', 'b']),
    });
  });

  it('writes null, constants, lists of values and bounds as Gemini reads them', () => {
    const cases: [JsonSchema, JsonSchema][] = [
      [
        { type: ['string', 'null'], description: 'd' },
        { type: 'string', description: 'd', nullable: true },
      ],
      [
        { type: 'string', nullable: true },
        { type: 'string', nullable: true },
      ],
      [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', nullable: true }],
      [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
      [{ type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
      [{ const: 'x' }, { type: 'string', enum: ['x'] }],
      [{ enum: [1, 2] }, { type: 'integer', description: 'One of 1, 2.' }],
      [
        { type: ['string', 'null'], enum: ['a', null] },
        { type: 'string', enum: ['a'], nullable: true },
      ],
      [{ enum: ['', 'a'] }, { type: 'string', description: 'One of "", "a".' }],
      [{ const: '' }, { type: 'string', description: 'One of "".' }],
      [
        { type: ['string', 'null'], enum: [null], description: 'd.' },
        { type: 'string', description: 'd. One of null.', nullable: true },
      ],
      [{ type: 'string', enum: [] }, { type: 'string' }],
      [
        { type: ['string', 'integer', 'null'], enum: ['a', null] },
        {
          anyOf: [{ type: 'string', enum: ['a'] }, { type: 'integer' }],
          nullable: true,
        },
      ],
      [
        { type: 'integer', exclusiveMinimum: 0 },
        { type: 'integer', minimum: 1 },
      ],
      [
        { type: 'number', minimum: 0, exclusiveMinimum: true },
        { type: 'number', minimum: 0 },
      ],
      [{ type: 'string', format: 'email' }, { type: 'string' }],
      [
        { type: 'string', format: 'date-time' },
        { type: 'string', format: 'date-time' },
      ],
      [{ type: 'object', additionalProperties: { type: 'string' } }, { type: 'object' }],
      [
        { properties: { a: true } },
        { type: 'object', properties: { a: { type: 'string', description: 'Any value, as JSON text.' } } },
      ],
    ];
    for (const [schema, wanted] of cases)
      expect(projectArgument(schema, 'gemini'), JSON.stringify(schema)).toEqual(wanted);
  });

  it.each(PROVIDER_FAMILIES)('gives %s no keyword with a value that no draft has there', (family) => {
    const nonsense = {
      ...{ title: {}, description: 5, format: 7, pattern: '(', minLength: '1', maxLength: -1, minItems: 1.5 },
      ...{ minimum: '3', exclusiveMaximum: 'x', multipleOf: 0, uniqueItems: 'yes', enum: 'a', examples: {} },
    };
    const schema = { ...nonsense, type: 'object', properties: { a: { ...nonsense, type: 'string' } }, required: 'a' };
    expect(project(schema, family)).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  });

  it("names an argument that Anthropic's pattern refuses, also within an argument", () => {
    const schema = {
      type: 'object',
      properties: { outer: { type: 'object', properties: { größe: { type: 'number' } } } },
    };
    expect(projectSchema(schema, 'anthropic')).toEqual({
      isOffered: false,
      reason: expect.stringContaining('"größe"'),
    });
    expect(projectSchema(schema, 'openai')).toMatchObject({ isOffered: true });
  });

  it('gives the same bytes whatever the order in which a hash map wrote what is required', () => {
    const properties = { a: {}, b: {}, c: {} };
    const bytes = (required: string[]) => JSON.stringify(project({ type: 'object', properties, required }, 'openai'));
    expect(bytes(['c', 'a'])).toBe(bytes(['a', 'c']));
  });

  it('takes properties with the names of keywords for properties', () => {
    const properties = {
      $ref: { type: 'string' },
      id: { type: 'string' },
      definitions: { type: 'array', items: { type: 'string' } },
      anyOf: { type: 'number' },
    };
    expect(project({ type: 'object', properties }, 'openai').properties).toEqual(properties);
  });
});
