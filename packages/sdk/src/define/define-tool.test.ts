import { tool as aiTool, jsonSchema } from 'ai';
import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callTool } from '../testing/call-tool.ts';
import { createTestContext } from '../testing/test-context.ts';
import { buildToolDef } from './build-tool-def.ts';
import { defineTool, isTool, toTool, toToolDefinition } from './define-tool.ts';
import { toolDef } from './tool-def.ts';

const base = { name: 'forecast', description: 'Tells the weather.' };
const execute = (input: unknown): unknown => input;

describe('defineTool', () => {
  it.each([
    ['zod', z.object({ city: z.string(), days: z.number().default(3) })],
    ['ArkType', type({ city: 'string', 'days?': 'number' })],
    [
      'a JSON Schema',
      { type: 'object', properties: { city: { type: 'string' }, days: { type: 'number' } }, required: ['city'] },
    ],
    [
      'the AI SDK',
      jsonSchema({
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'number' } },
        required: ['city'],
      }),
    ],
    [
      'a parameter list',
      [
        { name: 'city', type: 'string', required: true },
        { name: 'days', type: 'number' },
      ],
    ],
  ])('takes the schema of %s', (_kind, inputSchema) => {
    const { inputSchema: schema } = toTool({ ...base, inputSchema, execute });
    expect(schema).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number' } },
      required: ['city'],
    });
    expect(schema).not.toHaveProperty('$schema');
  });

  it("hands execute what a Standard Schema's validate makes of the input", async () => {
    const tool = defineTool({
      ...base,
      inputSchema: z.object({ city: z.string().transform((text) => text.toUpperCase()), days: z.number().default(3) }),
      execute: ({ city, days }) => `${city} ${days}`,
    });
    expect(await callTool(tool, { city: 'Oslo' })).toEqual({
      content: [{ type: 'text', text: 'OSLO 3' }],
      isError: false,
    });
  });

  it('answers input that only the Standard Schema can refuse with an error result that names the field', async () => {
    let runs = 0;
    const tool = defineTool({
      ...base,
      inputSchema: z.object({ place: z.object({ lat: z.number().refine((lat) => lat < 90, 'must be below 90') }) }),
      execute: () => runs++,
    });
    expect(await callTool(tool, { place: { lat: 100 } })).toEqual({
      content: [{ type: 'text', text: 'invalid input: place.lat: must be below 90' }],
      isError: true,
    });
    expect(runs).toBe(0);
  });

  it('waits for a validation that takes time', async () => {
    const tool = defineTool({
      ...base,
      inputSchema: z.object({ city: z.string().refine(async (city) => city === 'Oslo', 'unknown city') }),
      execute: ({ city }) => city,
    });
    expect((await callTool(tool, { city: 'Oslo' })).isError).toBe(false);
    expect(await callTool(tool, { city: 'Atlantis' })).toMatchObject({ isError: true });
  });

  it('takes a tool of the AI SDK as it is, with a name beside it', async () => {
    const aiSdkTool = aiTool({
      description: 'Doubles',
      inputSchema: z.object({ n: z.number() }),
      execute: ({ n }, { toolCallId }) => `${toolCallId}: ${n * 2}`,
    });
    const tool = toTool({ name: 'double', ...aiSdkTool });
    expect(await tool.execute({ n: 4 }, createTestContext({ toolCallId: 'c1' }))).toBe('c1: 8');
  });

  it("takes the seeds' definitions", () => {
    const fromA = defineTool({ def: buildToolDef('hello', 'Greet', { name: 'name', type: 'string' }), execute });
    expect(toToolDefinition(fromA)).toEqual({
      name: 'hello',
      description: 'Greet',
      inputSchema: { type: 'object', properties: { name: { type: 'string', description: '' } } },
    });
    const fromB = defineTool({
      def: toolDef('Note', 'Append').param('file', 'string', 'Path', true).build(),
      primaryArg: 'file',
      execute,
    });
    expect(toToolDefinition(fromB)).toEqual({
      name: 'Note',
      description: 'Append',
      inputSchema: {
        type: 'object',
        properties: { file: { type: 'string', description: 'Path' } },
        required: ['file'],
      },
      primaryArg: 'file',
    });
  });

  it('keeps everything that a client may know, and nothing else, in the definition', () => {
    const tool = defineTool({
      ...base,
      title: 'Forecast',
      outputSchema: z.object({ temp: z.number() }),
      annotations: { readOnlyHint: true },
      primaryArg: 'city',
      ui: { mode: 'genui', param: 'code' },
      channels: ['web'],
      timeout: '1m30s',
      concurrency: 'serial',
      execute,
    });
    expect(toToolDefinition(tool)).toEqual({
      ...base,
      title: 'Forecast',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: {
        type: 'object',
        properties: { temp: { type: 'number' } },
        required: ['temp'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
      primaryArg: 'city',
      ui: { mode: 'genui', param: 'code' },
      channels: ['web'],
      timeoutMs: 90_000,
      concurrency: 'serial',
    });
    expect(Reflect.ownKeys(toToolDefinition(tool))).not.toContain(Symbol.for('toolpost.tool'));
  });

  it('has a preview that gets what execute would get, and none of input that the schema refuses', async () => {
    const tool = defineTool({
      ...base,
      inputSchema: z.object({ city: z.string().transform((text) => text.toUpperCase()), days: z.number().max(7) }),
      preview: ({ city, days }, { roots }) => `${city} for ${days.toFixed()} days in ${roots.length} roots`,
      execute: ({ city }) => city,
    });
    const { session, roots, settings, abortSignal } = createTestContext();
    const context = { session, roots, settings, abortSignal };
    expect(await tool.preview?.({ city: 'Oslo', days: 3 }, context)).toBe(`OSLO for 3 days in ${roots.length} roots`);
    expect(await tool.preview?.({ city: 'Oslo', days: 8 }, context)).toBeUndefined();
    expect(toToolDefinition(tool)).not.toHaveProperty('preview');
    expect(defineTool({ ...base, execute })).not.toHaveProperty('preview');
    expect(() => toTool({ ...base, execute, preview: 'text' })).toThrow('tool "forecast": preview must be a function');
  });

  it('keeps `this` of an object with methods', async () => {
    const counter = {
      ...base,
      count: 0,
      execute() {
        return `${++this.count}`;
      },
    };
    const tool = defineTool(counter);
    expect(await callTool(tool, {})).toMatchObject({ content: [{ text: '1' }] });
  });

  it('recognises a tool of another copy of the package', () => {
    const foreign = {
      ...base,
      inputSchema: { type: 'object', properties: {} },
      [Symbol.for('toolpost.tool')]: true,
      execute,
    };
    expect(isTool(foreign)).toBe(true);
    expect(toTool(foreign)).toBe(foreign);
    expect(isTool({ ...base, execute })).toBe(false);
  });

  it('answers a call of a tool without a function as the seed does', async () => {
    expect(await callTool(toTool(base), {})).toEqual({
      content: [{ type: 'text', text: 'tool execution function not set' }],
      isError: true,
    });
  });

  it.each([
    ['no object', 5, 'a tool must be an object, got 5'],
    ['no name', { description: 'd', execute }, "a tool's name must be non-empty text, got nothing"],
    ['no function', { ...base, execute: 'run' }, 'tool "forecast": execute must be a function, got "run"'],
    [
      'a schema of something else',
      { ...base, inputSchema: z.string(), execute },
      'tool "forecast": inputSchema.type must be "object", got "string"',
    ],
    [
      'a parameter twice',
      {
        ...base,
        inputSchema: [
          { name: 'a', type: 'string' },
          { name: 'a', type: 'string' },
        ],
        execute,
      },
      'tool "forecast": parameters declares "a" twice',
    ],
    [
      'a schema that is a text',
      { ...base, inputSchema: 'string', execute },
      'tool "forecast": inputSchema must be a JSON Schema object, got "string"',
    ],
    [
      'a function under another name',
      { ...base, run: execute },
      'tool "forecast": execute is missing; unknown field "run": did you mean "execute"?',
    ],
    [
      'a function under a mistyped name',
      { ...base, excute: execute },
      'tool "forecast": execute is missing; unknown field "excute": did you mean "execute"?',
    ],
    [
      'a schema under another name',
      { ...base, parameters: z.object({ a: z.string() }), execute },
      'tool "forecast": unknown field "parameters": did you mean "inputSchema"?',
    ],
    [
      "a schema under MCP's older name",
      { ...base, input_schema: { type: 'object' }, execute },
      'tool "forecast": unknown field "input_schema": did you mean "inputSchema"?',
    ],
    [
      'a limit under the name of the definition',
      { ...base, timeoutMs: 30, execute },
      'tool "forecast": unknown field "timeoutMs": did you mean "timeout"?',
    ],
    [
      'a wrong timeout',
      { ...base, timeout: 30, execute },
      'tool "forecast": timeout must be a duration like "30s", got 30',
    ],
  ])('refuses %s by name and field', (_what, options, message) => {
    expect(() => toTool(options)).toThrow(new TypeError(message));
  });

  it("takes an object's own fields, a definition spread into it, and what the AI SDK adds", () => {
    const own = { run: execute, call: execute, schema: {}, label: 'x', u: 1, args: {} };
    expect(() => toTool({ ...base, inputSchema: [], execute, ...own })).not.toThrow();
    const spread = buildToolDef('hello', 'Greet', { name: 'name', type: 'string' });
    expect(toTool({ ...spread, execute }).inputSchema).toEqual(spread.inputSchema);
    const ofAiSdk = [
      ...['type', 'id', 'args', 'isProviderExecuted', 'metadata', 'providerOptions', 'inputExamples', 'strict'],
      ...[
        'contextSchema',
        'toolsContext',
        'needsApproval',
        'toModelOutput',
        'supportsDeferredResults',
        'sensitiveContext',
      ],
      ...['onInputStart', 'onInputDelta', 'onInputAvailable', 'providerMetadata'],
    ];
    for (const field of ofAiSdk) expect(() => toTool({ ...base, execute, [field]: {} })).not.toThrow();
  });

  it('names the converter for a schema that carries no JSON Schema', () => {
    const schemaOf = (vendor: string) => ({ '~standard': { version: 1, vendor, validate: () => ({ value: 1 }) } });
    expect(() => toTool({ ...base, inputSchema: schemaOf('valibot'), execute })).toThrow(
      'tool "forecast": inputSchema is a valibot schema, which carries no JSON Schema: wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
    );
    expect(() => toTool({ ...base, inputSchema: schemaOf('effect'), execute })).toThrow(
      'Standard JSON Schema specification',
    );
  });

  it('says so when a schema has no JSON form', () => {
    expect(() => toTool({ ...base, inputSchema: z.object({ at: z.date() }), execute })).toThrow(
      /^tool "forecast": inputSchema cannot be written as JSON Schema: /,
    );
  });
});
