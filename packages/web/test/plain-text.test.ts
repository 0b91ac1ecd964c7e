import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText, spelledOut } from '../src/text/plain-text.ts';

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a title', '\u001b]0;owned\u0007x', 'x'],
  ['the clipboard', '\u001b]52;c;b3duZWQ=\u001b\\x', 'x'],
  ['a cursor that moves', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['one-byte sequences', '\u009b31mred', 'red'],
  ['device control', '\u001bPq#0;2;0\u001b\\x', 'x'],
  ['a line that is written over', 'safe\rrm -rf\nnext', 'rm -rf\nnext'],
  ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
])('takes out %s', (_, text, expected) => {
  expect(plainText(text)).toBe(expected);
});

test('leaves nothing that drives a terminal in any text', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '[',
    ']',
    '0;',
    'm',
    '\u0007',
    '\u009b',
    '\\',
    'P',
    'x',
    '\n',
    '\r',
    '\u0000',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(plainText(pieces.join(''))).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
    }),
  );
});

test.each([
  ['a\u202eb', 'a\\u{202e}b'],
  ['a\u200bb', 'a\\u{200b}b'],
  ['a\rb', 'a\\u{d}b'],
  ['a\u001b[1mb', 'a\\u{1b}[1mb'],
  ['a\u{e0041}b', 'a\\u{e0041}b'],
  ['kept: é 漢 😀\n\tx', 'kept: é 漢 😀\n\tx'],
])('spells out what cannot be seen: %j', (text, expected) => {
  expect(spelledOut(text)).toBe(expected);
});
