import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { columns } from './columns.ts';
import { drawnEmoji, plainText, setJoinsEmoji, terminalText, visibleText } from './terminal-text.ts';

/** Everything that could drive a terminal, or deceive who reads it, but styles and line ends. */
function leftovers(text: string): string[] {
  return text.replaceAll(/\u001b\[[0-9;:]*m/g, '').match(/(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu) ?? [];
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b',
        '\u009b',
        '[',
        ']',
        '0',
        ';',
        'm',
        'J',
        '?',
        '\u0007',
        '\\',
        '\r',
        '\n',
        '\b',
        '\u001b[2J',
      ),
      fc.constantFrom(
        '\u001b]0;title\u0007',
        '\u001b[31m',
        '\u001bP',
        '\u202e',
        '\u200b',
        '\ufeff',
        '\u{e0041}',
        '\ue000',
        '\ue0010',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('terminalText', () => {
  test('lets nothing through that drives a terminal or hides text, whatever comes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(leftovers(terminalText(text))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  test('what is clean once stays as it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(terminalText(terminalText(text))).toBe(terminalText(text));
      }),
    );
  });

  test('text in any script is not touched', () => {
    for (const text of ['', 'a\tb\nc', 'é 😀 日本 עברית', '100 % <b>', 'e\u0301'])
      expect(terminalText(text)).toBe(text);
  });

  test('styles stay, and end with the text that they came in', () => {
    expect(terminalText('\u001b[1;31mred')).toBe('\u001b[1;31mred\u001b[0m');
    expect(terminalText('\u001b[31mred\u001b[0m')).toBe('\u001b[31mred\u001b[0m');
  });

  test.each([
    ['a\r\nb', 'a\nb'],
    ['real\rfake', 'real\nfake'],
    ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001b]52;c;cm0gLXJm\u0007x', 'x'],
    ['\u001b[2J\u001b[Hgone', 'gone'],
    ['\u009b2Jx', '2Jx'],
    ['\u001bcreset', 'reset'],
    ['user\u202etxt.exe', 'usertxt.exe'],
    ['a\u001b[3', 'a'],
  ])('%j becomes %j', (text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });
});

test('visibleText is one line that hides nothing', () => {
  expect(visibleText('rm -rf /\r\nls \u202e\u001b[8m\u200b\u{e0041}\t')).toBe(
    'rm -rf /\\u000d\\nls \\u202e\\u001b[8m\\u200b\\u{e0041}\\t',
  );
  fc.assert(
    fc.property(hostile, (text) => {
      expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    }),
  );
});

test('columns are one line a row, no longer than the width, without styles', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile, hostile)), fc.integer({ min: 5, max: 60 }), (rows, width) => {
      const lines = columns(rows, width).split('\n');
      expect(lines).toHaveLength(rows.length + 1);
      for (const line of lines) {
        expect(line).toBe(plainText(line));
        expect([...line].length).toBeLessThanOrEqual(width);
      }
    }),
  );
});

describe('emoji that are joined', () => {
  const family = '👩\u200d👩\u200d👧';
  afterEach(() => setJoinsEmoji(false));

  test('stay one where the terminal draws them so, and are each for itself elsewhere', () => {
    expect([plainText(family), drawnEmoji(family)]).toEqual(['👩👩👧', '👩👩👧']);
    setJoinsEmoji(true);
    for (const joined of [family, '🧑🏽\u200d🚀', '❤\ufe0f\u200d🔥'])
      expect([plainText(joined), drawnEmoji(joined)]).toEqual([joined, joined]);
  });

  test('are all that a joiner is let through for', () => {
    setJoinsEmoji(true);
    expect(plainText('a\u200db \u200d👩 👩\u200d\u200d👧 👩\u200dx \ue002')).toBe('ab 👩 👩👧 👩x ');
    expect(visibleText(family)).toBe('👩\\u200d👩\\u200d👧');
  });
});
