import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPattern } from './pattern-facts.ts';

test.each([
  ['needle', 'needle', true],
  ['a.b', 'a', true],
  ['^import \\{ x', 'import { x', true],
  ['foo.*barbar', 'barbar', false],
  ['abc+', 'ab', false],
  ['ab?cd', 'cd', false],
  ['x\\.y\\(', 'x.y(', true],
  ['(foo|bar)bazz', 'bazz', false],
  ['(?!needle)x', 'x', false],
  ['[abc]needle[^\\]]', 'needle', true],
  ['a{2}bcd', 'bcd', false],
  ['\u{1F600}\u{1F600}?z', '\u{1F600}', false],
  ['one|two', undefined, true],
  ['(a|b)', undefined, false],
  ['\\x41bcd', undefined, false],
  ['\\u{41}', undefined, false],
  ['\\p{L}abc', undefined, false],
  ['(a)\\1', undefined, false],
  ['', undefined, true],
])('%j: literal %j, plain %j', (source, literal, isPlain) => {
  expect(readPattern(source)).toEqual({ literal, isPlain });
});

test('the literal stands in whatever matches (random patterns and lines)', () => {
  const atoms = [
    'a',
    'b',
    'ab',
    '.',
    '[ab]',
    '[^b]',
    '\\.',
    '\\w',
    '\\b',
    '^',
    '$',
    '(a|b)',
    '(?:ab)',
    '(?=a)',
    '(?!b)',
    '|',
  ];
  const repeats = ['', '', '', '*', '+', '?', '{2}', '{0,1}', '+?'];
  const pattern = fc.array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...repeats)), { maxLength: 6 });
  const line = fc.array(fc.constantFrom('a', 'b', 'a', '.'), { maxLength: 16 });
  let checked = 0;
  fc.assert(
    fc.property(pattern, line, (parts, characters) => {
      const source = parts.map((part) => part.join('')).join('');
      const text = characters.join('');
      let matches: boolean;
      try {
        matches = new RegExp(source, 'u').test(text);
      } catch {
        return;
      }
      const { literal } = readPattern(source);
      if (!matches || literal === undefined) return;
      checked++;
      expect(text).toContain(literal);
    }),
    { numRuns: 8000 },
  );
  expect(checked).toBeGreaterThan(200);
});
