import type { JsonSchema } from '@toolpost/protocol';
import { expect, it } from 'vitest';
import type { ProviderFamily } from '../models/schemas/provider-family.ts';
import { sameNames, toWireTools } from './wire-tools.ts';

function tool(name: string, inputSchema: JsonSchema) {
  return { name, description: `Does ${name}.`, inputSchema };
}

it('leaves out the one tool whose schema a provider cannot take, and says why', () => {
  const tools = [
    tool('good', { type: 'object' }),
    tool('far', { type: 'object', properties: { a: { $ref: 'https://example.org/a' } } }),
  ];
  const wire = toWireTools(tools, sameNames, 'anthropic');
  expect(wire.tools.map(({ name }) => name)).toEqual(['good']);
  expect(wire.warnings).toEqual([expect.stringMatching(/^the tool far is not offered.*https:\/\/example\.org\/a/)]);
});

it('gives a tool the arguments that it declared when the provider needed them wrapped', () => {
  const union = {
    anyOf: [
      { type: 'array', items: { type: 'string' } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
  };
  const { tools, toToolArguments } = toWireTools(
    [tool('either', union), tool('plain', { type: 'object' })],
    sameNames,
    'openai',
  );
  expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['input'] });
  expect(toToolArguments('Either', '{"input":{"a":"x"}}')).toBe('{"a":"x"}');
  expect(toToolArguments('plain', '{"input":{"a":"x"}}')).toBe('{"input":{"a":"x"}}');
});

it('cuts a description that a provider would refuse between characters, and says so at its end', () => {
  const description = '😀'.repeat(600);
  const long = { ...tool('long', { type: 'object' }), description };
  const sentTo = (family: ProviderFamily) => toWireTools([long], sameNames, family).tools[0]?.description ?? '';
  for (const family of ['openai', 'json-schema'] as const) {
    expect(sentTo(family).length).toBeLessThanOrEqual(1024);
    expect(sentTo(family)).toMatch(/^(?:😀)+\.\.\. \(\d+ more characters\)$/u);
  }
  for (const family of ['anthropic', 'gemini'] as const) expect(sentTo(family)).toBe(description);
  const short = { ...long, description: 'd'.repeat(1024) };
  expect(toWireTools([short], sameNames, 'openai').tools[0]?.description).toBe(short.description);
});
