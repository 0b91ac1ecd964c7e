import { expect, it } from 'vitest';
import { lintTools } from './lint-tools.ts';

it('says which providers get a long description cut, and of how much', () => {
  const tool = { name: 'wordy', description: 'w'.repeat(1500), inputSchema: { type: 'object' } };
  const change = 'its description of 1500 characters is cut: at most 1024 are taken';
  expect(lintTools([tool])).toEqual([
    {
      name: 'wordy',
      advice: [],
      providers: [
        { provider: 'openai', changes: [change] },
        { provider: 'json-schema', changes: [change] },
      ],
    },
  ]);
  expect(lintTools([{ ...tool, description: 'w'.repeat(1024) }])).toEqual([]);
});
