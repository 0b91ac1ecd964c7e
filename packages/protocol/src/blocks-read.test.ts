import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BLOCK_LIMITS, BLOCK_TYPES } from './blocks.ts';
import { readBlocks } from './blocks-read.ts';

const read = (block: unknown) => readBlocks([block]);

describe('what authors write becomes one form', () => {
  test('columns as words and rows as objects', () => {
    const rows = [{ b: 1, a: 'x', c: 'unknown' }, ['y', true], ['z']];
    expect(read({ type: 'table', columns: ['a', { label: 'b', align: 'right' }], rows })).toEqual({
      blocks: [
        {
          type: 'table',
          columns: [{ label: 'a' }, { label: 'b', align: 'right' }],
          rows: [
            ['x', 1],
            ['y', true],
            ['z', null],
          ],
        },
      ],
      problems: [],
    });
  });

  test('values alone are one series, labels are counted, and series are as long as the labels', () => {
    expect(read({ type: 'chart', values: [1, null] }).blocks).toEqual([
      { type: 'chart', kind: 'bar', labels: ['1', '2'], series: [{ values: [1, null] }] },
    ]);
    const series = [{ name: 's', values: [1] }];
    expect(read({ type: 'chart', kind: 'line', labels: ['a', 'b'], series, unit: '%' }).blocks).toEqual([
      { type: 'chart', kind: 'line', labels: ['a', 'b'], series: [{ name: 's', values: [1, null] }], unit: '%' },
    ]);
  });

  test('a field of a form as a word, and one with options as a select', () => {
    const fields = ['city', { name: 'unit', options: ['C', 'F'] }];
    expect(read({ type: 'form', action: 'go', fields }).blocks).toEqual([
      {
        type: 'form',
        action: 'go',
        fields: [
          { name: 'city', kind: 'text' },
          { name: 'unit', kind: 'select', options: ['C', 'F'] },
        ],
      },
    ]);
  });

  test('nodes of a tree as words', () => {
    const nodes = ['a', { label: 'b', detail: 'd', children: ['c'] }];
    expect(read({ type: 'tree', nodes }).blocks).toEqual([
      { type: 'tree', nodes: [{ label: 'a' }, { label: 'b', detail: 'd', children: [{ label: 'c' }] }] },
    ]);
  });
});

describe('what is wrong is left out, and named by its place', () => {
  test.each([
    ['text', 'blocks[0]: found "text", expected a block, an object with a type'],
    [{ type: 'tabel' }, 'blocks[0].type: found "tabel", expected one of table, chart'],
    [{ type: 'table', rows: [] }, 'blocks[0].columns: missing'],
    [{ type: 'table', columns: ['a'], rows: [[1], [{}]] }, 'blocks[0].rows[1][0]: found an object, expected a text'],
    [{ type: 'table', columns: ['a'], rows: [[1, 2]] }, 'blocks[0].rows[0]: found 2 cells, expected at most 1'],
    [{ type: 'chart', values: [1, '2'] }, 'blocks[0].values[1]: found "2", expected a number'],
    [{ type: 'chart' }, 'blocks[0].series: missing'],
    [{ type: 'diff', before: 'a' }, 'blocks[0].patch: missing'],
    [{ type: 'form', action: 'a b', fields: [] }, 'blocks[0].action: found "a b"'],
    [{ type: 'tree', nodes: [{ label: 'a', children: [{}] }] }, 'blocks[0].nodes[0].children[0].label: missing'],
    [{ type: 'markdown', text: 'x'.repeat(60_000) }, 'blocks[0].text: it has 60000 characters, at most 50000'],
  ])('%j', (block, problem) => {
    const { blocks, problems } = read(block);
    expect(blocks).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test('the others are kept, and an unknown key is only ignored', () => {
    const { blocks, problems } = readBlocks([
      { type: 'markdown', text: 'a', titel: 'T' },
      5,
      { type: 'tree', nodes: [] },
    ]);
    expect(blocks.map(({ type }) => type)).toEqual(['markdown', 'tree']);
    expect(problems.join('\n')).toMatch(/blocks\[0\]\.titel: unknown key.*"title".*\n.*blocks\[1\]/);
  });

  test('more than there may be: of blocks, of all together, of cells, of depth', () => {
    const markdown = { type: 'markdown', text: 'x'.repeat(45_000) };
    expect(readBlocks(Array(30).fill({ type: 'tree', nodes: [] })).blocks).toHaveLength(BLOCK_LIMITS.blocks);
    expect(readBlocks(Array(20).fill(markdown)).blocks.length).toBeLessThan(12);
    const columns = Array.from({ length: 60 }, (_, at) => `c${at}`);
    expect(read({ type: 'table', columns, rows: Array(400).fill([]) }).problems[0]).toMatch(/24000 cells/);
    let node: object = { label: 'leaf' };
    for (let depth = 0; depth < 150; depth++) node = { label: 'n', children: [node] };
    expect(read({ type: 'tree', nodes: [node] }).problems[0]).toMatch(/nested deeper than 20/);
    expect(readBlocks({}).problems[0]).toMatch(/has to be a list/);
  });
});

test('nothing that JSON can hold makes it throw, and what it reads it reads again to the same', () => {
  const type = fc.constantFrom(...BLOCK_TYPES);
  const keys = ['columns', 'rows', 'values', 'series', 'labels', 'nodes', 'fields', 'patch', 'text', 'action', 'title'];
  const part = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  fc.assert(
    fc.property(type, part, (named, parts) => {
      const { blocks } = read({ type: named, ...parts });
      expect(readBlocks(blocks)).toEqual({ blocks, problems: [] });
    }),
  );
});
