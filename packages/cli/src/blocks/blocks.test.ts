import { BLOCK_TYPES, type Block, readBlocks } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineWidth, renderLine } from '../terminal-client/draw/line.ts';
import { createTheme } from '../terminal-client/draw/theme.ts';
import { blockLines } from './block-lines.ts';
import { uiTextLines } from './ui-text-lines.ts';

const PLAIN = createTheme(1);

function shown(block: unknown, width = 60): string {
  const [read] = readBlocks([block]).blocks;
  return blockLines(read as Block, { width, theme: PLAIN })
    .map((line) => renderLine(line).trimEnd())
    .join('\n');
}

describe('tables', () => {
  test('columns in line, numbers at the right', () => {
    const rows = [
      ['Oslo', 3],
      ['Rome', 21.5],
    ];
    expect(shown({ type: 'table', title: 'Today', columns: ['city', '°C'], rows })).toBe(
      'Today\ncity    °C\n────  ────\nOslo     3\nRome  21.5',
    );
  });

  test('cells that are too long are cut, columns without room are counted', () => {
    const rows = [['a very long text that goes on', 1, '日本語のテキスト']];
    expect(shown({ type: 'table', columns: ['text', 'n', 'wide'], rows }, 24)).toBe(
      'text       n  wide\n─────────  ─  ──────────\na very l…  1  日本語の…',
    );
    const columns = Array.from({ length: 9 }, (_, at) => `column${at}`);
    expect(shown({ type: 'table', columns, rows: [] }, 24)).toMatch(/… 6 more columns$/);
  });
});

describe('charts', () => {
  test('bars end where their values say, and those below zero go to the left', () => {
    const chart = { type: 'chart', labels: ['a', 'b', 'c'], values: [4, 2, null], unit: 's' };
    expect(shown(chart, 13)).toBe('a ███████ 4 s\nb ███▌ 2 s\nc  none');
    expect(shown({ type: 'chart', labels: ['a', 'b'], values: [4, -4] }, 13)).toBe('a     ████ 4\nb ████ -4');
  });

  test('a pie says its shares', () => {
    expect(shown({ type: 'chart', kind: 'pie', labels: ['x', 'y'], values: [3, 1] }, 20)).toMatch(
      /75% {2}3\ny.*25% {2}1$/,
    );
  });

  test('a line rises from the lower left to the upper right', () => {
    const rows = shown({ type: 'chart', kind: 'line', labels: ['Mon', 'Sun'], values: [0, 10] }, 30).split('\n');
    expect(rows[0]).toMatch(/^10 ┤\s+[⠀-⣿]+$/);
    expect(rows[7]).toMatch(/^ 0 ┤[⠀-⣿]+$/);
    expect(rows[8]).toMatch(/^ +Mon +Sun$/);
  });

  test('a spark is one row', () => {
    expect(shown({ type: 'chart', kind: 'spark', values: [0, 7, 14] }, 30)).toBe('▁▅█ 14');
  });
});

test('a tree has branches, a form its fields, a diff its signs', () => {
  const nodes = [
    {
      label: 'src',
      children: [
        { label: 'a.ts', detail: '3 KB' },
        { label: 'b', children: ['c.ts'] },
      ],
    },
  ];
  expect(shown({ type: 'tree', nodes })).toBe('src\n├─ a.ts  3 KB\n└─ b\n   └─ c.ts');
  const fields = [
    { name: 'city', label: 'City', required: true },
    { name: 'unit', options: ['C', 'F'], value: 'C' },
    { name: 'daily', kind: 'checkbox', value: true },
  ];
  expect(shown({ type: 'form', action: 'go', fields, submit: 'Save' })).toBe(
    'City   …  needed\nunit   C  (F)\ndaily  [x]\n[ Save ]  can be filled in in the browser',
  );
  const patch = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
  expect(shown({ type: 'diff', path: 'a.txt', patch })).toBe('a.txt\n  one\n- two\n+ 2');
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u001b[2J\u001b]0;owned\u0007',
    'a\r\nb\tc',
    '👩‍👩‍👧‍👦日本語',
    '\u202eabc',
    '\u009b31m',
    'x'.repeat(500),
  ),
);
const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null), fc.integer());
const cell = fc.oneof(hostile, value, fc.boolean());
const nodesOf = (children: fc.Arbitrary<unknown[]>) =>
  fc.array<unknown>(fc.record({ label: hostile, detail: hostile, children }), { maxLength: 3 });
const block = fc.oneof(
  fc.record({
    type: fc.constant('table'),
    title: hostile,
    columns: fc.array(hostile, { minLength: 1, maxLength: 12 }),
    rows: fc.array(fc.array(cell, { maxLength: 1 }), { maxLength: 60 }),
  }),
  fc.record({
    type: fc.constant('chart'),
    kind: fc.constantFrom('bar', 'line', 'area', 'pie', 'spark'),
    unit: fc.constantFrom('', '%', '\u001b[3'),
    labels: fc.array(hostile, { maxLength: 40 }),
    series: fc.array(fc.record({ name: hostile, values: fc.array(value, { maxLength: 40 }) }), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
  fc.record({
    type: fc.constant('diff'),
    path: hostile,
    patch: fc.oneof(hostile, fc.constant('@@ -1 +1 @@\n-a\u001b[2J\n+b')),
  }),
  fc.record({
    type: fc.constant('form'),
    action: fc.constant('go'),
    submit: fc.constant('\u001b[1m'),
    fields: fc.array(
      fc.record({ name: fc.constantFrom('a', 'b'), label: hostile, value: cell.filter((one) => one !== null) }),
    ),
  }),
  fc.record({
    type: fc.constant('tree'),
    nodes: nodesOf(nodesOf(nodesOf(fc.constant([])))),
  }),
  fc.record({ type: fc.constant('markdown'), text: hostile }),
);

test('whatever a block holds, its rows fit into the width and drive no terminal', () => {
  fc.assert(
    fc.property(block, fc.integer({ min: 20, max: 200 }), (given, width) => {
      const [read] = readBlocks([given]).blocks;
      if (!read) return;
      for (const line of blockLines(read as Block, { width, theme: PLAIN })) {
        expect(lineWidth(line)).toBeLessThanOrEqual(width);
        expect(renderLine(line)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }
    }),
    { numRuns: 300 },
  );
  expect(BLOCK_TYPES).toHaveLength(6);
});

describe('interfaces', () => {
  const page = { width: 60, theme: PLAIN };
  const text = (ui: Parameters<typeof uiTextLines>[0]) =>
    uiTextLines(ui, page).map((line) => renderLine(line).trimEnd());

  test('an ECharts option is a chart, with a link to the page', () => {
    const option = {
      title: { text: 'Sales' },
      xAxis: { type: 'category', data: ['Q1', 'Q2'] },
      yAxis: {},
      series: [{ type: 'bar', name: 'EU', data: [1, { value: 2 }] }],
    };
    const lines = text({ mode: 'chart', code: JSON.stringify(option), url: 'http://127.0.0.1:1/s/x' });
    expect(lines[0]).toBe('Sales');
    expect(lines.join('\n')).toMatch(/■ EU\nQ1 █+.* 1\nQ2 █+ 2\ndrawn at http:/);
  });

  test('a pie names its parts', () => {
    const option = { series: { type: 'pie', data: [{ name: 'x', value: 1 }] } };
    expect(text({ mode: 'chart', code: JSON.stringify(option) })[0]).toMatch(/^x █+ 100% {2}1$/);
  });

  test('one that is still being written, or of another kind, is its code', () => {
    expect(text({ mode: 'chart', code: '{"series":[{"ty', isOpen: true })).toEqual(['{"series":[{"ty']);
    expect(text({ mode: 'chart', code: '{"series":[{"type":"radar"}]}' })[1]).toBe(
      'drawn in the browser: toolpost serve',
    );
  });

  test('the address of the page is whole also where it is wider than the screen', () => {
    const url = `http://127.0.0.1:7490/#/session/${'0123456789'.repeat(7)}`;
    const lines = text({ mode: 'genui', code: 'x', url }).slice(1);
    expect(lines[0]).toBe('drawn at');
    expect(lines.slice(1).join('')).toBe(url);
  });

  test('of a module its first lines', () => {
    const code = Array.from({ length: 20 }, (_, at) => `line ${at}`).join('\n');
    expect(text({ mode: 'genui', code }).slice(-3)).toEqual([
      'line 5',
      '… 14 more lines of code',
      'drawn in the browser: toolpost serve',
    ]);
  });

  test('Markdown is Markdown', () => {
    expect(text({ mode: 'markdown', code: '# Title\n\n- a' })).toEqual(['Title', '', '• a']);
  });
});
