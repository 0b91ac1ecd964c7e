import { type Block, readBlocks } from '@toolpost/protocol';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { BlockView } from '../src/renderers/blocks/block-view.tsx';
import { toCsv } from '../src/renderers/blocks/to-csv.ts';

const parts = {
  Markdown: ({ text }: { readonly text: string }) => createElement('div', null, text),
  Diff: ({ diff }: { readonly diff: string }) => createElement('pre', null, diff),
  onSubmit: () => Promise.resolve(undefined),
};
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '\u001b[2J', '\u202eabc', '日本語'),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100, max: 100 }),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0),
);
const value = fc.oneof(number, fc.constant(null));
const values = fc.array(value, { maxLength: 30 });
const block = fc.oneof(
  fc.record({
    type: fc.constant('table'),
    title: hostile,
    columns: fc.array(hostile, { minLength: 1, maxLength: 6 }),
    rows: fc.array(fc.array(fc.oneof(hostile, value, fc.boolean()), { maxLength: 1 }), { maxLength: 40 }),
  }),
  fc.record({
    type: fc.constant('chart'),
    kind: fc.constantFrom('bar', 'line', 'area', 'pie', 'spark'),
    unit: fc.constantFrom('', '%', '<b>'),
    labels: fc.array(hostile, { maxLength: 30 }),
    series: fc.array(fc.record({ name: hostile, values }), { minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    type: fc.constant('form'),
    action: fc.constant('go'),
    fields: fc.array(fc.record({ name: fc.constantFrom('a', 'b'), label: hostile, options: fc.array(hostile) })),
  }),
  fc.record({ type: fc.constant('tree'), nodes: fc.array(fc.record({ label: hostile, children: fc.array(hostile) })) }),
  fc.record({ type: fc.constant('markdown'), text: hostile }),
  fc.record({ type: fc.constant('diff'), path: hostile, patch: hostile }),
);

it('whatever a block holds is drawn, as text where it is text and in numbers where it is a picture', () => {
  fc.assert(
    fc.property(block, (given) => {
      const [read] = readBlocks([given]).blocks;
      if (!read) return;
      const markup = renderToStaticMarkup(createElement(BlockView, { block: read as Block, parts }));
      expect(markup).not.toMatch(/<(?:script|img|b)\b/);
      expect(markup).not.toMatch(/="[^"]*\b(?:NaN|Infinity)\b[^"]*"/);
    }),
    { numRuns: 200 },
  );
});

it('a table as CSV is as many cells as it has, and nothing in it is a formula', () => {
  const columns = [{ label: 'a' }, { label: '=b' }];
  const rows = [
    ['x,"y"', 1],
    ['@sum\n', null],
  ];
  expect(toCsv({ type: 'table', columns, rows })).toBe('a,\'=b\r\n"x,""y""",1\r\n"\'@sum\n",\r\n');
});
