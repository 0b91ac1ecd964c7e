import { expect, test } from 'vitest';
import type { Block } from './blocks.ts';
import { readBlocks } from './blocks-read.ts';
import { blockText, blockTexts, contentWithoutBlocks } from './blocks-text.ts';

const textOfBlock = (block: unknown) => blockText(readBlocks([block]).blocks[0] as Block);

test('a table is rows of cells, its first fifty', () => {
  expect(textOfBlock({ type: 'table', title: 'T', columns: ['a', 'b'], rows: [['x|y\nz', null]] })).toBe(
    'T\n\n| a | b |\n| --- | --- |\n| x\\|y z |  |',
  );
  const rows = Array.from({ length: 60 }, (_, at) => [at]);
  expect(textOfBlock({ type: 'table', columns: ['a'], rows })).toMatch(/\| 49 \|\n\.\.\. and 10 more rows$/);
});

test('a chart is its values with their labels', () => {
  const series = [{ name: 'in', values: [1, 2] }, { values: [null, 4] }];
  expect(textOfBlock({ type: 'chart', kind: 'line', unit: 'ms', labels: ['a', 'b'], series })).toBe(
    '(line chart)\nin - a: 1 ms, b: 2 ms\na: none, b: 4 ms',
  );
});

test('a form says what is asked and under which action it comes back', () => {
  const fields = [
    { name: 'n', label: 'Name', required: true, value: 'x' },
    { name: 'u', options: ['C', 'F'] },
  ];
  expect(textOfBlock({ type: 'form', action: 'save', fields })).toBe(
    '(a form for the user; its button "Send" is the action save)\n- Name (text, needed) = x\n- u (select: C, F)',
  );
});

test('a tree is indented', () => {
  expect(textOfBlock({ type: 'tree', nodes: [{ label: 'a', detail: 'd', children: ['b'] }] })).toBe('- a - d\n  - b');
});

test('a summary stands in its place, and an empty one says nothing', () => {
  expect(textOfBlock({ type: 'markdown', text: 'long', summary: 'short' })).toBe('short');
  expect(blockTexts([{ type: 'markdown', text: 'long', summary: '' }])).toEqual([]);
});

test('what Markdown would take for one stands apart, where texts are joined by one LF', () => {
  const table = { type: 'table', columns: ['a'], rows: [['x']] };
  const { blocks } = readBlocks([
    { type: 'chart', labels: ['a'], values: [1] },
    { type: 'chart', labels: ['b'], values: [2] },
    table,
    { type: 'markdown', text: '# Next' },
    { type: 'markdown', text: 'long', summary: 'short' },
  ]);
  const joined = (hasTextBefore: boolean) =>
    blockTexts(blocks as Block[], hasTextBefore)
      .map(({ text }) => text)
      .join('\n');
  expect(joined(true)).toBe('(bar chart)\na: 1\n(bar chart)\nb: 2\n\n| a |\n| --- |\n| x |\n\n# Next\n\nshort');
  const [first] = blockTexts(readBlocks([table]).blocks as Block[], true);
  expect(first?.text).toBe('\n| a |\n| --- |\n| x |');
  expect(blockTexts(readBlocks([table]).blocks as Block[])[0]?.text).toBe('| a |\n| --- |\n| x |');
});

test('clients can tell the text form of blocks from what the author wrote', () => {
  const own = { type: 'text', text: 'own' } as const;
  expect(contentWithoutBlocks([own, ...blockTexts([{ type: 'markdown', text: 'a' }])])).toEqual([own]);
});
