import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSpans, type Span } from './find-spans.ts';

function spansOf(file: Buffer, needle: Buffer, options: { foldsCr: boolean; overlapping: boolean }): Span[] {
  return [...findSpans(file, needle, options)].filter((span) => span !== undefined);
}

/** Tries every place, on its own. */
function spansByHand(file: Buffer, needle: Buffer, foldsCr: boolean): Span[] {
  const endAt = (start: number): number | undefined => {
    let at = start;
    for (const byte of needle) {
      if (foldsCr && byte === 10 && file[at] === 13 && file[at + 1] === 10) at++;
      if (file[at++] !== byte) return undefined;
    }
    return at;
  };
  const spans: Span[] = [];
  for (let start = 0; start < file.length; start++) {
    const end = endAt(start);
    // The LF of a CRLF is no line end of its own.
    if (end === undefined || (foldsCr && file[start] === 10 && file[start - 1] === 13)) continue;
    spans.push({ start, end, line: file.subarray(0, start).toString('latin1').split('\n').length });
  }
  return spans;
}

const lines = fc
  .array(fc.constantFrom('a', 'b', '}', ' ', '\n', '\r\n', '\n\n', '\r\n\r\n', 'ab'.repeat(20), 'x'.repeat(300)), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

test('finds what trying every place finds, whatever the needle begins with and however it overlaps itself', () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.integer({ min: 1, max: 400 }), fc.boolean(), (text, from, length, foldsCr) => {
      const source = foldsCr ? text.replaceAll('\r\n', '\n') : text;
      const start = from % (source.length + 1);
      const needle = Buffer.from(source.slice(start, start + length) || 'absent');
      const file = Buffer.from(text);
      expect(spansOf(file, needle, { foldsCr, overlapping: true })).toEqual(spansByHand(file, needle, foldsCr));
    }),
    { numRuns: 2000 },
  );
});

function pausesOf(file: Buffer, needle: string): number {
  let pauses = 0;
  for (const span of findSpans(file, Buffer.from(needle), { foldsCr: true, overlapping: true })) {
    if (span === undefined) pauses++;
  }
  return pauses;
}

test('pauses often in a search that takes long, and not in one that does not', () => {
  const mebi = 1024 * 1024;
  expect(pausesOf(Buffer.alloc(8 * mebi, 'ab'), `${'ab'.repeat(20)}c`)).toBeGreaterThanOrEqual(30);
  expect(pausesOf(Buffer.alloc(mebi, '\n'), '\n'.repeat(40))).toBeGreaterThanOrEqual(3);
  expect(pausesOf(Buffer.alloc(16 * mebi, 'a line of code\n'), 'not there')).toBe(0);
});

test('a needle that begins with empty lines does not stop at every line', () => {
  const file = Buffer.from(`${'    const value = compute(0);\n'.repeat(100_000)}\n    the one\n`);
  expect(pausesOf(file, '\n\n    the one\n')).toBeLessThanOrEqual(2);
  expect(pausesOf(file, '\n    const')).toBeGreaterThan(5);
});
