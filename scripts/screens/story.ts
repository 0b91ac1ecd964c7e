import {
  chatCall,
  chatChunks,
  type ProviderAnswer,
} from '../../packages/host/src/models/fixtures/scripted-provider.ts';

export const QUESTION = 'Some orders never reach the report. Find out why, and mend it.';

/** The project that the story is about. Its test fails until the edit is made. */
export const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }\n',
  'src/dates.js': `const DATE = /^(\\d{4})-(\\d{2})-(\\d{2})$/;

/** Midnight of a day, in UTC; undefined for a text that is no date. */
export function parseDate(text) {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return undefined;
  return new Date(Date.UTC(year, month - 1, day));
}
`,
  'src/import.js': `import { parseDate } from './dates.js';

export function importOrders(rows) {
  return rows.flatMap(({ id, date, total }) => {
    const at = parseDate(date);
    return at ? [{ id, at, total: Number(total) }] : [];
  });
}
`,
  'test/import.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importOrders } from '../src/import.js';

for (const date of ['2026-11-30', '2026-3-7', '2026-12-1'])
  test(\`an order of \${date} reaches the report\`, () => {
    assert.equal(importOrders([{ id: 1, date, total: '12.50' }]).length, 1);
  });

test('an order without a date is left out', () => {
  assert.deepEqual(importOrders([{ id: 1, date: '', total: '3' }]), []);
});
`,
};

/** A plugin as anybody writes one: its table is shown as one, the model gets the text. */
export const PLUGIN = `import { definePlugin, defineTool } from '@toolpost/sdk';

const FEEDS = [
  { feed: 'north', rows: 1840, imported: 1203, dropped: 637 },
  { feed: 'harbour', rows: 912, imported: 912, dropped: 0 },
  { feed: 'south', rows: 2210, imported: 1544, dropped: 666 },
];

export default definePlugin({
  tools: [
    defineTool({
      name: 'rows_by_feed',
      description: 'How many rows of each feed came in on a day, and how many were dropped.',
      inputSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      annotations: { readOnlyHint: true },
      primaryArg: 'day',
      execute: () => ({
        content: FEEDS.map(({ feed, dropped }) => feed + ' lost ' + dropped + ' rows').join(', '),
        structuredContent: { feeds: FEEDS },
      }),
    }),
  ],
});
`;

/** What the model says, request by request. Its calls run for real. */
export const ANSWERS: readonly ProviderAnswer[] = [
  asks('I look at how rows become orders, and at what each feed loses.', [
    ['read', { file_path: 'src/dates.js' }],
    ['grep', { pattern: 'parseDate', glob: 'src/**' }],
    ['rows_by_feed', { day: '2026-11-30' }],
  ]),
  asks('`north` and `south` write `2026-3-7`: the pattern wants two digits, and drops the row without a word.', [
    [
      'edit',
      {
        file_path: 'src/dates.js',
        old_string: 'const DATE = /^(\\d{4})-(\\d{2})-(\\d{2})$/;',
        new_string:
          '// Feeds write months and days with one digit or two.\nconst DATE = /^(\\d{4})-(\\d{1,2})-(\\d{1,2})$/;',
      },
    ],
  ]),
  asks('', [['bash', { command: 'node --test --test-reporter=spec' }]]),
  says(
    'Orders of days with one digit ',
    'reach the report now. ',
    'The pattern in `src/dates.js` wanted two digits, and what did not fit was dropped in silence.\n\n',
    '| feed | lost before | lost now |\n|---|--:|--:|\n| north | 637 | 0 |\n| south | 666 | 0 |\n\n',
    'All four tests pass. I would also **count** what is left out, so that the next one is seen:\n\n',
    '```js\nconst { orders, dropped } = importOrders(rows);\nif (dropped > 0) log.warn({ feed, dropped });\n```\n',
  ),
];

export function says(...pieces: string[]): ProviderAnswer {
  return { events: chatChunks(pieces.map((content) => ({ content }))) };
}

export function asks(text: string, calls: readonly (readonly [name: string, input: object])[]): ProviderAnswer {
  const words = text === '' ? [] : [{ content: text }];
  const deltas = calls.flatMap(([name, input], index) => chatCall(index, name, JSON.stringify(input)));
  return { events: chatChunks([...words, ...deltas], 'tool_calls') };
}
