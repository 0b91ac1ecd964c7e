import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, lineWidth, renderLine, span } from './line.ts';
import { wrapLine } from './wrap.ts';

const textOf = (line: Line) => renderLine(line);
const wrapped = (text: string, width: number) => wrapLine([span(text)], { width }).map(textOf);

describe('a line that is too long', () => {
  test('is broken between words, and inside one that alone is too long', () => {
    expect(wrapped('one two three', 9)).toEqual(['one two ', 'three']);
    expect(wrapped('abcdefghijklmn op', 8)).toEqual(['abcdefgh', 'ijklmn ', 'op']);
  });

  test('is broken between characters of two columns', () => {
    expect(wrapped('東アジアの文字は幅', 9)).toEqual(['東アジア', 'の文字は', '幅']);
  });

  test('keeps a word together over a change of colour', () => {
    const paint = (text: string) => `<${text}>`;
    const rows = wrapLine([span('one bold'), span('ly', paint), span(' said')], { width: 8 });
    expect(rows.map(textOf)).toEqual(['one ', 'bold<ly> ', 'said']);
  });

  test('has what stands before its rows', () => {
    const rows = wrapLine([span('one two three four')], { width: 12, first: [span('- ')], rest: [span('  ')] });
    expect(rows.map(textOf)).toEqual(['- one two ', '  three four']);
  });
});

const words = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '日本語', 'é', '👩‍🚀', '\t', '\u001b[31m')),
);

test('no row is wider than the screen, and no character is lost but blanks', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 60 }), (parts, width) => {
      const line = [span(parts.join(''))];
      const rows = wrapLine(line, { width });
      for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(width);
      expect(rows.map(textOf).join('').replaceAll(' ', '')).toBe(textOf(line).replaceAll(' ', ''));
    }),
  );
});

test('nothing that could drive a terminal gets into a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textOf([span(text)])).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
