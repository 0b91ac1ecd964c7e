import type { ToolDefinition } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { freezeDefinition, sameDefinition } from './freeze-definition.ts';

const HALF = '\ud83d';

const broken: ToolDefinition = {
  name: 'paint',
  title: `Paint ${HALF}`,
  description: `Paints${HALF} a wall.`,
  inputSchema: {
    type: 'object',
    properties: { [`wall${HALF}`]: { enum: [`red${HALF}`, '\u{1F600}'], description: HALF } },
    required: [`wall${HALF}`],
  },
};

test('half a character in a definition, names and values alike, is replaced before anyone gets it', () => {
  const frozen = freezeDefinition(broken);
  expect(JSON.stringify(frozen)).not.toMatch(/\\ud83d/i);
  expect(frozen).toEqual({
    name: 'paint',
    title: 'Paint \ufffd',
    description: 'Paints\ufffd a wall.',
    inputSchema: {
      type: 'object',
      properties: { 'wall\ufffd': { enum: ['red\ufffd', '\u{1F600}'], description: '\ufffd' } },
      required: ['wall\ufffd'],
    },
  });
});

test('the same declaration again means the same, whatever was mended in it', () => {
  const frozen = freezeDefinition(broken);
  expect(sameDefinition(frozen, structuredClone(broken))).toBe(true);
  expect(sameDefinition(frozen, { ...broken, description: 'Paints a wall.' })).toBe(false);
});
