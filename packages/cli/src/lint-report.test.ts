import { lintTools } from '@toolpost/host';
import { expect, it } from 'vitest';
import { isRefused, lintReport } from './lint-report.ts';

const tool = (name: string, properties: object) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties, $defs: { text: { type: 'string' } } },
});

it('names each finding once, with the providers that it is about', () => {
  const lints = lintTools([
    tool('fine', { a: { type: 'string', description: 'A' } }),
    tool('calendar.read', { a: { $ref: '#/$defs/text' } }),
    tool('far', { größe: { type: 'number', description: 'How big' }, b: { type: 'string' } }),
  ]);
  expect(lintReport(lints, 3)).toBe(
    [
      'calendar.read',
      '  offered as calendar_read_2505b184',
      '  openai, anthropic, gemini, json-schema: references are written out',
      '',
      'far',
      '  without a description: b',
      '  anthropic: refused: the argument "größe" has a name that does not match ^[a-zA-Z0-9_.-]{1,64}$',
      '',
      '3 tools: 2 with findings, 1 refused by a provider.',
      '',
    ].join('\n'),
  );
  expect(lints.map(isRefused)).toEqual([false, true]);
});

it('says so when every provider takes every tool', () => {
  expect(lintReport([], 12)).toBe('12 tools: every provider takes them as they are.\n');
});
