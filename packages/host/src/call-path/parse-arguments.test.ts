import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallStopped } from './call-stopped.ts';
import { MAX_ARGUMENTS_DEPTH } from './nesting.ts';
import { type ParseOptions, parseArguments } from './parse-arguments.ts';

function refusalOf(raw: string, options: ParseOptions = {}): CallStopped {
  try {
    parseArguments(raw, options);
  } catch (error) {
    if (error instanceof CallStopped) return error;
    throw error;
  }
  throw new Error(`${raw} was taken`);
}

/** Texts in which lone surrogates stand too, as JSON carries them. */
const anyText = fc.string({ unit: 'binary', maxLength: 20 });
const anyObject = fc.dictionary(
  anyText,
  fc.jsonValue({ maxDepth: 4, noUnicodeString: false } as fc.JsonSharedConstraints),
);

describe('parseArguments', () => {
  test.each(['', ' ', '\n\t ', 'null', ' null\n', '{}', ' { } '])('%j is no arguments', (raw) => {
    expect(parseArguments(raw)).toEqual({});
  });

  test('any JSON object comes back as it was, also with keys that objects treat specially', () => {
    fc.assert(
      fc.property(anyObject, fc.constantFrom('', ' ', '\n'), (value, space) => {
        expect(parseArguments(space + JSON.stringify(value) + space)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const odd = '{"__proto__":{"a":1},"constructor":2,"toString":"\\u0041"}';
    expect(Object.entries(parseArguments(odd))).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
      ['toString', 'A'],
    ]);
  });

  test('JSON that was cut anywhere is refused, never taken for no arguments', () => {
    fc.assert(
      fc.property(anyObject, fc.double({ min: 0, max: 1, noNaN: true }), (value, share) => {
        const text = JSON.stringify({ ...value, last: 'x' });
        const cut = text.slice(0, 1 + Math.floor(share * (text.length - 2)));
        expect(refusalOf(cut).outcome).toBe('invalid-input');
      }),
    );
  });

  test('any text that is no JSON object is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!['', 'null'].includes(text.trim()) && !text.trim().startsWith('{'));
        expect(refusalOf(text).outcome).toBe('invalid-input');
      }),
    );
  });

  test.each(['[1]', '5', '"a"', 'true', '[null]'])('%s is refused with the word object', (raw) => {
    expect(refusalOf(raw).message).toMatch(/must be one JSON object/);
  });

  test('the refusal of cut JSON quotes its end and says what to do', () => {
    const { message } = refusalOf('{"path":"a","conte');
    expect(message).toContain('"{\\"path\\":\\"a\\",\\"conte"');
    expect(message).toContain('Send the whole object again');
  });

  test('half an emoji, written out or as an escape, becomes a replacement character at every depth', () => {
    for (const half of ['\ud83d', '\\ud83d']) {
      const parsed = parseArguments(`{"a":["${half}",{"${half}k":"${half}"}],"whole":"\\ud83d\\ude00"}`);
      expect(parsed).toEqual({ a: ['\ufffd', { '\ufffdk': '\ufffd' }], whole: '😀' });
    }
  });

  test('half an emoji is refused by place where the text must be whole, and a whole one is not', () => {
    for (const half of ['\ud83d', '\\ud83d', '\\ude00']) {
      const nested = refusalOf(`{"a":"ok","list":[{"text":"x${half}"}]}`, { mustBeWhole: true });
      expect(nested.outcome).toBe('invalid-input');
      expect(nested.message).toContain('The argument "list[0].text" holds half a character');
      expect(nested.message).toContain('Send the whole character, or leave it out');
      expect(refusalOf(`{"k${half}":1}`, { mustBeWhole: true }).message).toContain('"k\ufffd"');
    }
    const whole = '{"a":"\\ud83d\\ude00 \\u00e9 \ud83d\ude00"}';
    expect(parseArguments(whole, { mustBeWhole: true })).toEqual({ a: '😀 é 😀' });
  });

  test('what a refusal says is well-formed wherever the text was cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (length) => {
        const text = `{"a":"${'😀'.repeat(200)}`.slice(0, length);
        const block = refusalOf(text).toResult().content[0];
        expect(block?.type === 'text' && block.text.isWellFormed()).toBe(true);
      }),
    );
  });

  test('arguments too deep for those who come after it are refused, in any number of levels', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(parseArguments(nested(MAX_ARGUMENTS_DEPTH - 1))).toHaveProperty('a');
    for (const levels of [MAX_ARGUMENTS_DEPTH, 5000, 200_000]) {
      expect(refusalOf(nested(levels)).message).toContain(`deeper than ${MAX_ARGUMENTS_DEPTH} levels`);
    }
  });
});
