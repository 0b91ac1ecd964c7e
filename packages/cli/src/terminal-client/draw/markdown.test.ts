import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineWidth, renderLine } from './line.ts';
import { finishedLength, markdownLines } from './markdown.ts';
import { createTheme } from './theme.ts';

const rows = (markdown: string, width = 40) =>
  markdownLines(markdown, { theme: createTheme(1), width }).map((line) => renderLine(line).trimEnd());

test('lists are indented by their marks, also those in items, and numbers are in line', () => {
  expect(rows('- one\n  - two\n- three')).toEqual(['• one', '  • two', '• three']);
  expect(rows('9. nine\n10. ten')).toEqual([' 9. nine', '10. ten']);
  expect(rows('- [x] done\n- [ ] open')).toEqual(['• [x] done', '• [ ] open']);
});

test('a link shows its host, unless it is the address itself; a picture is not loaded', () => {
  expect(rows('[safe.example](https://evil.example/x) https://a.example/b')).toEqual([
    'safe.example (evil.example)',
    'https://a.example/b',
  ]);
  expect(rows('![chart](https://evil.example/c.png)')).toEqual(['[picture: chart] (evil.example)']);
});

test('markup is text', () => {
  expect(rows('<script>alert(1)</script>')).toEqual(['<script>alert(1)</script>']);
});

test('a table gives way to the width, and its cells go on below', () => {
  expect(rows('| a | b |\n|---|--:|\n| one two three four | 1 |', 14)).toEqual([
    ...['a            b', '───────────  ─', 'one two      1', 'three four'],
  ]);
});

test('code keeps its blanks and is not taken for Markdown', () => {
  expect(rows('```js\nif (x)\n    **y**\n```')).toEqual(['  if (x)', '      **y**']);
});

test('only the last block of a text may still change', () => {
  const text = '# One\n\ntwo\n\n```js\nthree';
  expect(text.slice(finishedLength(text))).toBe('```js\nthree');
  expect(finishedLength('one line')).toBe(0);
});

test('whatever a model writes, no row is wider than the screen', () => {
  const piece = fc.constantFrom(
    '# ',
    '- ',
    '> ',
    '1. ',
    '| a | b |\n|---|---|\n',
    '```\n',
    '**',
    '`',
    '[a](b)',
    '\n',
    '\n\n',
    '日本語',
    'word ',
    '<b>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 30, max: 100 }), (parts, width) => {
      for (const line of markdownLines(parts.join(''), { theme: createTheme(24), width }))
        expect(lineWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});
