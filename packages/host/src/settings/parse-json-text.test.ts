import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonText } from './parse-json-text.ts';

test.each([
  ['{ "model": ', 'not JSON at line 1, column 12: Unexpected end of JSON input'],
  ['', 'not JSON at line 1, column 1: Unexpected end of JSON input'],
  ['{\n  "a": yes\n}', "not JSON at line 2, column 8: Unexpected token 'y'"],
  ['{\n  "a": 1,\n}', 'not JSON at line 3, column 1: Expected double-quoted property name'],
  ['{\r\n  "a": "b', 'not JSON at line 2, column 10: Unterminated string'],
  ['// c\n{}', "not JSON at line 1, column 1: Unexpected token '/'"],
  ['{"a":1}}', 'not JSON at line 1, column 8: Unexpected non-whitespace character'],
])('tells where %j is wrong', (text, problem) => {
  expect(parseJsonText(text)).toEqual({ problem });
});

test('does not quote what stands around a mistake', () => {
  const result = parseJsonText('{ "headers": { "key": sk-secret-0123456789 } }');
  expect(JSON.stringify(result)).toContain("Unexpected token 's'");
  expect(JSON.stringify(result)).not.toContain('secret');
});

test('skips a byte order mark', () => {
  expect(parseJsonText('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
});

test('finds a word that is no JSON wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 30 }), fc.nat(), (values, at) => {
      const lines = values.map((value) => JSON.stringify(value));
      const line = at % lines.length;
      lines[line] = 'oops';
      expect(parseJsonText(`[\n${lines.join(',\n')}\n]`)).toEqual({
        problem: `not JSON at line ${line + 2}, column 1: Unexpected token 'o'`,
      });
    }),
  );
});
