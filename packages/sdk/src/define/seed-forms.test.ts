import { describe, expect, it } from 'vitest';
import { formatToolResult } from '../results/format-results.ts';
import { newToolResult } from '../results/tool-results.ts';
import { callTool } from '../testing/call-tool.ts';
import { createTestContext } from '../testing/test-context.ts';
import { buildToolDef, toJsonSchema, toolFromFunc, toolFromJsonFunc } from './build-tool-def.ts';
import { defineTool } from './define-tool.ts';
import {
  parseToolInputArray,
  parseToolInputBoolean,
  parseToolInputNumber,
  parseToolInputObject,
  parseToolInputString,
} from './parse-tool-input.ts';
import { newSchemaBuilder } from './schema-builder.ts';
import { toolDef } from './tool-def.ts';

describe("seed A's options", () => {
  it('1: a definition and a function that parses its input', async () => {
    const hello = defineTool({
      def: buildToolDef('hello', 'Greet someone by name. Returns a friendly greeting message.', {
        name: 'name',
        type: 'string',
        description: 'The person to greet',
      }),
      execute(_input, context) {
        let name = 'World';
        try {
          name = parseToolInputString(context.input, 'name');
        } catch {}
        return newToolResult(`Hello, ${name}! 👋`);
      },
    });
    expect(await callTool(hello, { name: 'Bob' })).toMatchObject({ content: [{ text: 'Hello, Bob! 👋' }] });
    expect(await callTool(hello, {})).toMatchObject({ content: [{ text: 'Hello, World! 👋' }] });
  });

  it('2: a function of text gets the arguments as JSON text, and its throw is the failure', async () => {
    const double = toolFromFunc('double', 'Doubles a number', (input) => input + input);
    expect(double.inputSchema).toEqual({ type: 'object', properties: {} });
    const context = createTestContext({ input: '{"n":2}' });
    expect(await double.execute({ n: 2 }, context)).toBe('{"n":2}{"n":2}');
    const failing = toolFromFunc('fails', 'Fails', () => {
      throw new Error('no');
    });
    expect(await callTool(failing, {})).toMatchObject({ content: [{ text: 'no' }], isError: true });
  });

  it('2: what a JSON function returns is marshalled', async () => {
    const weather = toolFromJsonFunc('weather', 'Get weather', [{ name: 'city', type: 'string' }], (input) => {
      const { city } = JSON.parse(input);
      return { temp: 21, city };
    });
    expect(await callTool(weather, { city: 'Oslo' })).toEqual({
      content: [{ type: 'text', text: '{"temp":21,"city":"Oslo"}' }],
      structuredContent: { temp: 21, city: 'Oslo' },
      isError: false,
    });
  });

  it.each([
    ['text', 'x', '"x"'],
    ['a number', 5, '5'],
    ['nothing', undefined, 'null'],
    ['a list', [1, 2], '[1,2]'],
    ['an object that looks like a result', { content: 'x', isError: true }, '{"content":"x","isError":true}'],
  ])('2: %s is marshalled like any value', async (_kind, value, text) => {
    const tool = toolFromJsonFunc('t', 'd', [], () => value);
    expect(await callTool(tool, {})).toMatchObject({ content: [{ type: 'text', text }], isError: false });
  });

  it('2: what cannot be marshalled fails the call', async () => {
    const tool = toolFromJsonFunc('t', 'd', [], () => 10n);
    expect(await callTool(tool, {})).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('BigInt') }],
    });
  });

  it('3: the full context', async () => {
    const tool = defineTool({
      name: 'who',
      description: 'Says who calls.',
      execute: (_input, { session, roots }) => formatToolResult('Caller', { ...session, roots: roots.join() }),
    });
    const context = createTestContext({ session: { user: 'eve', tenant: 'acme' }, roots: ['/w'] });
    expect(await callTool(tool, {}, { context })).toMatchObject({
      content: [
        { text: 'Caller\nchannel: cli\nchatId: test-session\nid: test-session\nroots: /w\ntenant: acme\nuser: eve' },
      ],
    });
  });
});

describe('definitions', () => {
  it('carry the list and the schema, with required in declared order', () => {
    const def = buildToolDef(
      't',
      'd',
      { name: 'z', type: 'string', required: true },
      { name: 'a', type: 'number', required: true },
    );
    expect(JSON.stringify(def)).toBe(
      '{"name":"t","description":"d","parameters":[{"name":"z","type":"string","required":true},{"name":"a","type":"number","required":true}],' +
        '"inputSchema":{"type":"object","properties":{"z":{"type":"string","description":""},"a":{"type":"number","description":""}},"required":["z","a"]}}',
    );
  });

  it('become the form of models, with the schema untouched and the version when there is one', () => {
    const inputSchema = { type: 'object', properties: { x: {} }, $defs: {} };
    expect(toJsonSchema({ name: 't', description: 'd', inputSchema, version: '1.0.0' })).toEqual({
      type: 'function',
      function: { name: 't', description: 'd', parameters: inputSchema, version: '1.0.0' },
    });
    expect(toJsonSchema({ name: 't', description: 'd' })).toEqual({
      type: 'function',
      function: { name: 't', description: 'd', parameters: { type: 'object', properties: {} } },
    });
  });

  it('of seed B always have required, in declared order', () => {
    const def = toolDef('Note', 'Append a note to a text file')
      .param('text', 'string', 'The text to append', true)
      .param('file', 'string', 'Absolute path to the notes file', true)
      .param('loud', 'boolean', '', false)
      .build();
    expect(JSON.stringify(def)).toContain('"required":["text","file"]');
    expect(Object.keys(Object(def.function.parameters.properties))).toEqual(['text', 'file', 'loud']);
    expect(toolDef('t', 'd').build().function.parameters).toEqual({ type: 'object', properties: {}, required: [] });
  });

  it('of seed B refuse a parameter twice', () => {
    expect(() => toolDef('t', 'd').param('a', 'string', '', true).param('a', 'string', '', true).build()).toThrow(
      '"a" twice',
    );
  });

  it('come from the schema builder', () => {
    const builder = newSchemaBuilder()
      .addStringParam('s', 'text', true)
      .addNumberParam('n', '', false)
      .addBoolParam('b', '', false);
    expect(builder.addArrayParam('a', '', false).build()).toEqual([
      { name: 's', type: 'string', description: 'text', required: true },
      { name: 'n', type: 'number', description: '', required: false },
      { name: 'b', type: 'boolean', description: '', required: false },
      { name: 'a', type: 'array', description: '', required: false },
    ]);
    expect(newSchemaBuilder().build()).toEqual([]);
  });
});

describe('parseToolInput', () => {
  const input = '{"s":"text","n":1.5,"b":false,"a":[1],"o":{"k":1},"null":null}';

  it('reads each type, from text or from the parsed object', () => {
    expect(parseToolInputString(input, 's')).toBe('text');
    expect(parseToolInputNumber(input, 'n')).toBe(1.5);
    expect(parseToolInputBoolean(input, 'b')).toBe(false);
    expect(parseToolInputArray(input, 'a')).toEqual([1]);
    expect(parseToolInputObject(input, 'o')).toEqual({ k: 1 });
    expect(parseToolInputString(JSON.parse(input), 's')).toBe('text');
  });

  it.each([
    [parseToolInputString, 'n', 'field "n" not found or not a string'],
    [parseToolInputString, 'missing', 'field "missing" not found or not a string'],
    [parseToolInputString, 'toString', 'field "toString" not found or not a string'],
    [parseToolInputNumber, 's', 'field "s" not found or not a number'],
    [parseToolInputBoolean, 'null', 'field "null" not found or not a boolean'],
    [parseToolInputArray, 'o', 'field "o" not found or not an array'],
    [parseToolInputObject, 'a', 'field "a" not found or not an object'],
  ])('throws the exact text: %o %s', (parse, field, message) => {
    expect(() => parse(input, field)).toThrow(new Error(message));
  });

  it.each(['', '{"a":', '[]', '"x"', '5'])('throws `parse tool input` for %j', (text) => {
    expect(() => parseToolInputString(text, 'a')).toThrow(/^parse tool input/);
  });
});
