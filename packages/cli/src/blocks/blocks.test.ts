import { BLOCK_TYPES, type Block, readBlocks } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, lineWidth, renderLine } from '../terminal-client/draw/line.ts';
import { createTheme } from '../terminal-client/draw/theme.ts';
import { blockLines } from './block-lines.ts';
import { type DrawnCode, uiCodeLines, uiPlaceLines, uiTextLines } from './ui-text-lines.ts';

const PLAIN = createTheme(1);

const textsOf = (lines: readonly Line[]) => lines.map((line) => renderLine(line).trimEnd());

/** All of it, as Ctrl-O shows it. */
const whole = (block: unknown, width = 60) => shown(block, width, true);

function shown(block: unknown, width = 60, isExpanded = false): string {
  const [read] = readBlocks([block]).blocks;
  return blockLines(read as Block, { width, theme: PLAIN, isExpanded })
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
    expect(shown({ type: 'table', columns, rows: [] }, 30)).toMatch(/… 5 more columns \(ctrl-o\)$/);
  });

  test('expanded they have every row, cells go on below, and columns without room follow in a table of their own', () => {
    const words = 'a very long text that goes on and on';
    const rows = Array.from({ length: 50 }, (_, at) => [words, at, 'x'.repeat(30)]);
    const lines = whole({ type: 'table', columns: ['text', 'n', 'wide'], rows }, 24).split('\n');
    expect(lines.filter((line) => / \d+$/.test(line)).map((line) => line.trim().split(' ').at(-1))).toEqual(
      rows.map(([, at]) => String(at)),
    );
    const columns = Array.from({ length: 5 }, (_, at) => `column${at}`);
    expect(whole({ type: 'table', columns, rows: [columns] }, 24)).not.toContain('…');
    for (const name of columns) expect(whole({ type: 'table', columns, rows: [] }, 24)).toContain(name);
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

  test('expanded they say their numbers', () => {
    const labels = Array.from({ length: 40 }, (_, at) => `label ${at}`);
    const chart = { type: 'chart', kind: 'line', labels, values: labels.map((_, at) => at * 1000) };
    expect(shown(chart)).not.toContain('39000');
    expect(whole(chart)).toMatch(/^label 39 +39000$/m);
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
    'City   …  needed\nunit   C  (F)\ndaily  [x]\n[ Save ]  is filled in in the browser: toolpost serve',
  );
  const patch = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
  expect(shown({ type: 'diff', path: 'a.txt', patch })).toBe('a.txt\n     1   one\n     2 - two\n     2 + 2');
});

test('a form says at which page it is filled in, with an address that is whole', () => {
  const pageUrl = `http://127.0.0.1:7490/#/session/${'0123456789'.repeat(7)}`;
  const [block] = readBlocks([{ type: 'form', action: 'go', fields: [{ name: 'city' }] }]).blocks;
  const rows = textsOf(blockLines(block as Block, { width: 60, theme: PLAIN, pageUrl }));
  expect(rows.join('')).toContain(pageUrl);
});

test('expanded a tree, a diff and code have no end before their end', () => {
  const nodes = Array.from({ length: 200 }, (_, at) => ({ label: `node ${at} ${'y'.repeat(70)}` }));
  expect(shown({ type: 'tree', nodes })).toMatch(/… 120 more nodes \(ctrl-o\)$/);
  expect(whole({ type: 'tree', nodes }).match(/y/g)).toHaveLength(200 * 70);
  const lines = Array.from({ length: 100 }, (_, at) => `+line ${at}`).join('\n');
  const diff = { type: 'diff', path: 'a.ts', patch: `@@ -0,0 +1,100 @@\n${lines}\n` };
  expect(shown(diff)).toMatch(/… 40 more lines \(ctrl-o\)$/);
  expect(whole(diff)).toMatch(/^ {3}100 \+ line 99$/m);
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
    fc.property(block, fc.integer({ min: 20, max: 200 }), fc.boolean(), (given, width, isExpanded) => {
      const [read] = readBlocks([given]).blocks;
      if (!read) return;
      for (const line of blockLines(read as Block, { width, theme: PLAIN, isExpanded })) {
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
  const text = (ui: DrawnCode) => uiTextLines(ui, page)?.map((line) => renderLine(line).trimEnd());

  test('an ECharts option is a chart', () => {
    const option = {
      title: { text: 'Sales' },
      xAxis: { type: 'category', data: ['Q1', 'Q2'] },
      yAxis: {},
      series: [{ type: 'bar', name: 'EU', data: [1, { value: 2 }] }],
    };
    const lines = text({ mode: 'chart', code: JSON.stringify(option) });
    expect(lines?.[0]).toBe('Sales');
    expect(lines?.join('\n')).toMatch(/■ EU\nQ1 █+.* 1\nQ2 █+ 2/);
  });

  test('a pie names its parts', () => {
    const option = { series: { type: 'pie', data: [{ name: 'x', value: 1 }] } };
    expect(text({ mode: 'chart', code: JSON.stringify(option) })?.[0]).toMatch(/^x █+ 100% {2}1$/);
  });

  test('one that is still being written, or of another kind, has no text form', () => {
    expect(text({ mode: 'chart', code: '{"series":[{"ty' })).toBeUndefined();
    expect(text({ mode: 'chart', code: '{"series":[{"type":"radar"}]}' })).toBeUndefined();
    expect(text({ mode: 'genui', code: 'x' })).toBeUndefined();
  });

  test('the address of the page is whole also where it is wider than the screen', () => {
    const pageUrl = `http://127.0.0.1:7490/#/session/${'0123456789'.repeat(7)}`;
    const lines = textsOf(uiPlaceLines({ ...page, pageUrl }));
    expect(lines[0]).toBe('drawn at');
    expect(lines.slice(1).join('')).toBe(pageUrl);
    expect(textsOf(uiPlaceLines(page))).toEqual(['drawn in the browser: toolpost serve']);
  });

  test('of a module its first lines, and all of them when it is expanded', () => {
    const code = Array.from({ length: 20 }, (_, at) => `line ${at} ${'z'.repeat(60)}`).join('\n');
    const short = textsOf(uiCodeLines({ mode: 'genui', code }, page));
    expect(short.at(-1)).toBe('… 14 more lines of code (ctrl-o)');
    expect(short[0]).toMatch(/^line 0 z+…$/);
    const all = textsOf(uiCodeLines({ mode: 'genui', code }, { ...page, isExpanded: true }));
    expect(all.join('').match(/z/g)).toHaveLength(20 * 60);
  });

  test('Markdown is Markdown', () => {
    expect(text({ mode: 'markdown', code: '# Title\n\n- a' })).toEqual(['Title', '', '• a']);
  });
});
