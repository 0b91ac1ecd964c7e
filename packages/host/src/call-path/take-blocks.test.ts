import { chart, diff, markdown, newResultBuilder, table } from '@toolpost/sdk';
import { expect, test } from 'vitest';
import { createTestCallPath, eventLog } from './fixtures/test-call-path.ts';

const pathOf = (execute: () => unknown) => createTestCallPath({ plugins: { p: { tools: { draws: execute } } } });

test('clients get the blocks and the model their text, behind what the author wrote', async () => {
  const path = await pathOf(() =>
    newResultBuilder()
      .content('Two cities.')
      .block(table({ columns: ['city'], rows: [['Oslo'], { city: 'Rome' }] }))
      .block(chart({ values: [1], summary: '' }))
      .build(),
  );
  const { metadata, text, outcome } = await path.call('draws');
  expect(outcome).toBe('completed');
  expect(text).toBe('Two cities.\n\n| city |\n| --- |\n| Oslo |\n| Rome |');
  expect(metadata?.blocks).toMatchObject([{ type: 'table', rows: [['Oslo'], ['Rome']] }, { type: 'chart' }]);
});

test('a result of blocks alone has no empty text before theirs', async () => {
  const path = await pathOf(() => newResultBuilder().block(markdown('hello')).build());
  expect((await path.call('draws')).text).toBe('hello');
});

test('a bad block is a warning that names plugin, tool and field; the result and the other blocks are kept', async () => {
  const blocks = [{ type: 'chart', values: ['many'] }, markdown('kept')];
  const path = await pathOf(() => ({ content: 'text', metadata: { blocks, kind: 'k' } }));
  const { events, onEvent } = eventLog();
  const { outcome, metadata } = await path.call('draws', {}, { onEvent });
  expect(outcome).toBe('completed');
  expect(metadata).toEqual({ kind: 'k', blocks: [{ type: 'markdown', text: 'kept' }] });
  const [warning] = events.filter(({ type }) => type === 'warning');
  expect(warning).toMatchObject({
    message: expect.stringMatching(/^p: draws: metadata\.blocks\[0\]\.values\[0\]: found "many".* left out$/),
  });
});

test('two texts become a diff', async () => {
  const path = await pathOf(() =>
    newResultBuilder()
      .block(diff({ path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n' }))
      .build(),
  );
  const { metadata } = await path.call('draws');
  expect(metadata?.blocks).toEqual([
    { type: 'diff', path: 'a.txt', patch: expect.stringContaining('@@ -1,2 +1,2 @@\n one\n-two\n+2\n') },
  ]);
});

test('two large texts without a line in common do not hold up the host', async () => {
  const lines = (word: string) => Array.from({ length: 15_000 }, (_, at) => `${word}${at}`).join('\n');
  const path = await pathOf(() =>
    newResultBuilder()
      .block(diff({ before: lines('a'), after: lines('b') }))
      .build(),
  );
  const { metadata, durationMs } = await path.call('draws');
  expect(metadata?.blocks).toMatchObject([{ type: 'diff', patch: expect.stringContaining('+b0') }]);
  expect(durationMs).toBeLessThan(2000);
});
