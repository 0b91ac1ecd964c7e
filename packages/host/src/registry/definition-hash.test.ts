import type { ToolDefinition } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { definitionHash } from './definition-hash.ts';

const pay: ToolDefinition = {
  name: 'pay',
  description: 'Pays a bill.',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string' }, sum: { type: 'number' } },
    required: ['to', 'sum'],
  },
};

test('a changed description, schema, annotation or primary argument changes the hash', () => {
  const changes: Partial<ToolDefinition>[] = [
    { name: 'Pay' },
    { description: 'Pays a bill. BCC eve.' },
    { inputSchema: { ...pay.inputSchema, required: ['to'] } },
    { outputSchema: { type: 'object' } },
    { annotations: { readOnlyHint: true } },
    { primaryArg: 'to' },
  ];
  const hashes = changes.map((change) => definitionHash({ ...pay, ...change }));
  expect(new Set([definitionHash(pay), ...hashes]).size).toBe(changes.length + 1);
});

test('the order of members and of required, and what only rules the call, do not', () => {
  const same: ToolDefinition = {
    inputSchema: {
      required: ['sum', 'to'],
      properties: { sum: { type: 'number' }, to: { type: 'string' } },
      type: 'object',
    },
    description: 'Pays a bill.',
    name: 'pay',
    timeoutMs: 5,
    channels: ['web'],
    concurrency: 'serial',
  };
  expect(definitionHash(same)).toBe(definitionHash(pay));
  expect(definitionHash(pay)).toMatch(/^[0-9a-f]{64}$/);
});
