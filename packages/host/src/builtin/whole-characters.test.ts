import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endOfWholeCharacters } from './whole-characters.ts';

test('cuts a text before a character that has only begun, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), (text, at) => {
      const bytes = Buffer.from(text.toWellFormed());
      const cut = bytes.subarray(0, at % (bytes.length + 1));
      const end = endOfWholeCharacters(cut);
      expect(cut.length - end).toBeLessThan(4);
      expect(text.toWellFormed().startsWith(cut.toString('utf8', 0, end))).toBe(true);
      expect(cut.toString('utf8', 0, end)).not.toMatch(text.includes('\ufffd') ? /^\b$/ : /\ufffd/);
    }),
  );
});

test('holds nothing back of what can never become a character', () => {
  for (const bytes of [[0x80], [0x41, 0x80, 0x80, 0x80, 0x80], [0xc3, 0x28]]) {
    expect(endOfWholeCharacters(Buffer.from(bytes))).toBe(bytes.length);
  }
});
