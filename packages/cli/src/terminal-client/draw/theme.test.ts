import { expect, test } from 'vitest';
import { createTheme } from './theme.ts';

test('colours are what the terminal has: of millions, the nearest of 256 or of 16, or none', () => {
  const accents = [24, 8, 4, 1].map((depth) => createTheme(depth).accent('a'));
  expect(accents).toEqual([
    '\u001b[38;2;86;142;184ma\u001b[39m',
    '\u001b[38;5;67ma\u001b[39m',
    '\u001b[36ma\u001b[39m',
    'a',
  ]);
});

test('without colours there are no weights either', () => {
  const { strong, emphasis, underline, faint } = createTheme(1);
  expect([strong, emphasis, underline, faint].map((paint) => paint('a'))).toEqual(['a', 'a', 'a', 'a']);
});

test('a colour ends where its text ends, and nothing is painted where nothing is', () => {
  const { bad } = createTheme(24);
  expect(bad('x')).toMatch(/\u001b\[39m$/);
  expect(bad('')).toBe('');
});
