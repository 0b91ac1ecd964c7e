import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOutputLines } from './output-lines.ts';

const linesOf = (...pieces: readonly string[]) => {
  const output = createOutputLines();
  for (const piece of pieces) output.add('stdout', piece);
  return output.lines().map(({ text }) => text);
};

test('a line is whole, wherever it was cut, and one without an end is shown too', () => {
  expect(linesOf('on', 'e\ntw', 'o')).toEqual(['one', 'two']);
});

test('a lone CR begins the line anew, a CRLF ends it', () => {
  expect(linesOf('10%\r50%\r', '100%\r', '\ndone\r\n')).toEqual(['100%', 'done']);
});

test('both streams have lines of their own', () => {
  const output = createOutputLines();
  output.add('stdout', 'out');
  output.add('stderr', 'err\n');
  output.add('stdout', 'put\n');
  expect(output.lines()).toEqual([
    { stream: 'stderr', text: 'err' },
    { stream: 'stdout', text: 'output' },
  ]);
});

test('only the last lines are kept, and a line without an end has a bound', () => {
  const lines = linesOf(Array.from({ length: 5000 }, (_, at) => `line ${at}\n`).join(''));
  expect(lines.length).toBeLessThanOrEqual(400);
  expect(lines.at(-1)).toBe('line 4999');
  expect(linesOf('x'.repeat(100_000))[0]?.length).toBeLessThanOrEqual(4096);
});

test('lines do not depend on where pieces were cut', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', '\r\n') }), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, (parts) => {
      expect(linesOf(...parts)).toEqual(linesOf(parts.join('')));
    }),
  );
});
