import type { ContentBlock, JsonSchema } from '@toolpost/protocol';
import { jsonSchema } from 'ai';
import { type } from 'arktype';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { definePlugin } from '../plugin/define-plugin.ts';
import { callTool } from '../testing/call-tool.ts';
import type { ToolCallContext } from '../tool-call-context.ts';
import { buildToolDef, toolFromJsonFunc } from './build-tool-def.ts';
import { defineTool, type Tool } from './define-tool.ts';

const base = { name: 't', description: 'd' };

describe('the input of execute', () => {
  it('follows a zod schema, after defaults and transforms', () => {
    const tool = defineTool({
      ...base,
      inputSchema: z.object({ city: z.string(), days: z.number().default(3), at: z.string().transform(Number) }),
      execute(input, context) {
        expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; at: number }>();
        expectTypeOf(context).toEqualTypeOf<ToolCallContext>();
      },
    });
    expectTypeOf(tool).toEqualTypeOf<Tool<{ city: string; days?: number | undefined; at: string }>>();
  });

  it('follows an ArkType schema', () => {
    defineTool({
      ...base,
      inputSchema: type({ city: 'string', 'days?': 'number' }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; days?: number }>(),
    });
  });

  it('follows a JSON Schema literal', () => {
    defineTool({
      ...base,
      inputSchema: {
        type: 'object',
        properties: {
          city: { type: 'string' },
          unit: { enum: ['c', 'f'] },
          tags: { type: 'array', items: { type: 'string' } },
          loose: { type: 'array' },
          place: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
          note: { type: ['string', 'null'] },
          either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          anything: {},
        },
        required: ['city', 'unit'],
      },
      execute: (input) =>
        expectTypeOf(input).toEqualTypeOf<{
          city: string;
          unit: 'c' | 'f';
          tags?: string[];
          loose?: unknown[];
          place?: { lat: number };
          note?: string | null;
          either?: string | number;
          anything?: unknown;
        }>(),
    });
  });

  it('follows a parameter list, also through buildToolDef', () => {
    defineTool({
      ...base,
      inputSchema: [
        { name: 'city', type: 'string', required: true },
        { name: 'sizes', type: 'array', items: { type: 'integer' } },
        { name: 'flag', type: 'boolean', description: 'A flag' },
      ],
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; sizes?: number[]; flag?: boolean }>(),
    });
    defineTool({
      def: buildToolDef('t', 'd', { name: 'city', type: 'string', required: true }, { name: 'n', type: 'number' }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; n?: number }>(),
    });
  });

  it("follows the AI SDK's schemas", () => {
    defineTool({
      ...base,
      inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
      execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string }>(),
    });
  });

  it('is what a schema variable leaves open', () => {
    const schema: JsonSchema = { type: 'object', properties: {} };
    defineTool({
      ...base,
      inputSchema: schema,
      execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
    });
  });

  it('is any object without a schema', () => {
    defineTool({ ...base, execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>() });
  });
});

describe('tools of different inputs', () => {
  it('stand in one list without casts', () => {
    const tools = [
      defineTool({ ...base, inputSchema: z.object({ a: z.string() }), execute: ({ a }) => a }),
      defineTool({ ...base, inputSchema: [{ name: 'b', type: 'number', required: true }], execute: ({ b }) => b }),
      toolFromJsonFunc('weather', 'Get weather', [{ name: 'city', type: 'string' }], () => ({ temp: 21 })),
    ];
    expectTypeOf(tools).toExtend<readonly Tool[]>();
    definePlugin({ tools });
  });

  it('are called with what their schema says', () => {
    const tool = defineTool({ ...base, inputSchema: z.object({ a: z.string() }), execute: ({ a }) => a });
    callTool(tool, { a: 'x' });
    // @ts-expect-error a is text
    callTool(tool, { a: 5 });
    // @ts-expect-error a is missing
    callTool(tool, {});
  });
});

describe('what does not compile', () => {
  it('is a schema without a JSON Schema, a wrong parameter and a missing name', () => {
    const bare = { '~standard': { version: 1, vendor: 'valibot', validate: () => ({ value: 1 }) } } as const;
    // @ts-expect-error it carries no JSON Schema
    defineTool({ ...base, inputSchema: bare, execute: () => '' });
    // @ts-expect-error there is no such type
    defineTool({ ...base, inputSchema: [{ name: 'a', type: 'str' }], execute: () => '' });
    // @ts-expect-error the name is missing
    defineTool({ description: 'd', execute: () => '' });
    const block: ContentBlock = { type: 'text', text: 'x' };
    defineTool({ ...base, execute: () => [block] });
  });
});
