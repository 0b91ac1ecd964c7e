import { expect, test } from 'vitest';
import { withLiteralParentheses } from './literal-parentheses.ts';

test.each([
  ['src/**', 'src/**'],
  ['app/(shop)/**', 'app/\\(shop\\)/**'],
  ['(a)(b)', '\\(a\\)\\(b\\)'],
  ['@(a|b)/!(c)/x*(d)', '@(a|b)/!(c)/x*(d)'],
  ['(a|b)/(c)', '(a|b)/\\(c\\)'],
  ['((a)|b)', '(\\(a\\)|b)'],
  ['\\(a\\)', '\\(a\\)'],
  ['[(]a)', '[(]a\\)'],
  ['a(', 'a\\('],
  ['*(a', '*\\(a'],
  ['[a(b)', '[a\\(b\\)'],
])('%s becomes %s', (glob, expected) => {
  expect(withLiteralParentheses(glob)).toBe(expected);
});
