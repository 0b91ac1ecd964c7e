import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToolDeclaration, schemaOfParameters, writeToolDeclaration } from './tool-declaration.ts';

describe('readToolDeclaration', () => {
  it('builds the schema of a parameter list in declared order, with required only where something is', () => {
    const { inputSchema } = readToolDeclaration({
      name: 't',
      parameters: [
        { name: 'z', type: 'string', description: 'last letter', required: true },
        { name: 'a', type: 'array' },
        { name: 'n', type: 'array', items: { type: 'integer' }, required: true },
      ],
    });
    expect(JSON.stringify(inputSchema)).toBe(
      '{"type":"object","properties":{"z":{"type":"string","description":"last letter"},' +
        '"a":{"type":"array","description":"","items":{}},"n":{"type":"array","description":"","items":{"type":"integer"}}},' +
        '"required":["z","n"]}',
    );
    expect(schemaOfParameters([{ name: 'a', type: 'number' }])).not.toHaveProperty('required');
  });

  it.each(['inputSchema', 'input_schema'])('prefers %s to the parameters and leaves it untouched', (key) => {
    const schema = { type: 'object', properties: { deep: { type: 'array', items: { type: 'array' } } }, $defs: {} };
    const read = readToolDeclaration({ name: 't', parameters: [{ name: 'x', type: 'string' }], [key]: schema });
    expect(read.inputSchema).toBe(schema);
  });

  it.each([
    [undefined, { type: 'object', properties: {} }],
    [null, { type: 'object', properties: {} }],
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false, properties: {} },
    ],
  ])('makes an object schema of %j', (inputSchema, expected) => {
    expect(readToolDeclaration({ name: 't', description: 'd', inputSchema }).inputSchema).toEqual(expected);
  });

  it("reads seed B's function form", () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const declared = { type: 'function', function: { name: 'Note', description: 'Append', parameters } };
    expect(readToolDeclaration(declared)).toEqual({ name: 'Note', description: 'Append', inputSchema: parameters });
  });

  it('reads every field in both spellings and writes it back the same', () => {
    const full = {
      name: 'chart',
      description: 'Draws',
      title: 'Chart',
      input_schema: { type: 'object', properties: {} },
      output_schema: { type: 'object' },
      annotations: { readOnlyHint: true, title: 'x', other: 1 },
      primary_arg: 'code',
      ui: { mode: 'genui', param: 'code', libs: ['echarts'], surface: 'panel' },
      channels: ['web'],
      timeout: '1m30s',
      concurrency: 'serial',
    };
    const definition = readToolDeclaration(full);
    expect(definition).toEqual({
      name: 'chart',
      description: 'Draws',
      title: 'Chart',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, title: 'x' },
      primaryArg: 'code',
      ui: { mode: 'genui', param: 'code', libs: ['echarts'], surface: 'panel' },
      channels: ['web'],
      timeoutMs: 90_000,
      concurrency: 'serial',
    });
    expect(readToolDeclaration(writeToolDeclaration(definition))).toEqual(definition);
  });

  it.each([
    [5, 'a tool must be an object, got 5'],
    [{ name: '  ' }, 'a tool\'s name must be non-empty text, got "  "'],
    [{ name: 't', description: 5 }, 'tool "t": description must be text, got 5'],
    [{ name: 't', inputSchema: 'x' }, 'tool "t": inputSchema must be a JSON Schema object, got "x"'],
    [{ name: 't', inputSchema: { type: 'string' } }, 'tool "t": inputSchema.type must be "object", got "string"'],
    [{ name: 't', inputSchema: { properties: [] } }, 'tool "t": inputSchema.properties must be an object, got []'],
    [
      { name: 't', parameters: 'x' },
      'tool "t": parameters must be a list of parameters or a JSON Schema object, got "x"',
    ],
    [
      { name: 't', parameters: [{ name: 'a', type: 'str' }] },
      'tool "t": parameters[0].type must be one of string, number, integer, boolean, array, object, got "str"',
    ],
    [
      {
        name: 't',
        parameters: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'number' },
        ],
      },
      'tool "t": parameters declares "a" twice',
    ],
    [
      { name: 't', parameters: [{ type: 'string' }] },
      'tool "t": parameters[0].name must be non-empty text, got nothing',
    ],
    [{ name: 't', timeout: 30 }, 'tool "t": timeout must be a duration like "30s", got 30'],
    [{ name: 't', timeout: '-1s' }, 'tool "t": timeout must be a duration above zero, like "30s", got "-1s"'],
    [{ name: 't', timeout: 'soon' }, 'tool "t": "soon" is not a duration: write it like 500ms, 30s or 1m30s'],
    [{ name: 't', concurrency: 'x' }, 'tool "t": concurrency must be "parallel" or "serial", got "x"'],
    [{ name: 't', channels: 'web' }, 'tool "t": channels must be a list of texts, got "web"'],
    [{ name: 't', ui: {} }, 'tool "t": ui.mode must be non-empty text, got nothing'],
    [
      { name: 't', annotations: { readOnlyHint: 'yes' } },
      'tool "t": annotations.readOnlyHint must be true or false, got "yes"',
    ],
  ])('refuses %j by name and field', (declared, message) => {
    expect(() => readToolDeclaration(declared)).toThrow(new TypeError(message));
  });

  it('keeps a parameter named __proto__ a parameter', () => {
    const { inputSchema } = readToolDeclaration({ name: 't', parameters: [{ name: '__proto__', type: 'string' }] });
    expect(JSON.stringify(inputSchema.properties)).toBe('{"__proto__":{"type":"string","description":""}}');
  });

  it('answers any JSON with a definition or a TypeError', () => {
    const field = fc.constantFrom(
      'name',
      'parameters',
      'inputSchema',
      'ui',
      'annotations',
      'timeout',
      'channels',
      'type',
      'function',
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (value) => {
        try {
          expect(readToolDeclaration(value).inputSchema.type).toBe('object');
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});
