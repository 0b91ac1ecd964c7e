import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutputPiece } from './entries.ts';
import { addOutput, linesOf, NOTHING_PRINTED } from './output-tail.ts';

const piece = (stream: OutputPiece['stream'], text: string): OutputPiece => ({ stream, text });

test('half a line of one stream is never glued to a line of the other', () => {
  const pieces = [piece('stdout', 'half'), piece('stderr', 'warning\nand'), piece('stdout', ' a line\nnext')];
  expect(linesOf(pieces)).toEqual([
    { stream: 'stderr', text: 'warning' },
    { stream: 'stdout', text: 'half a line' },
    { stream: 'stdout', text: 'next' },
    { stream: 'stderr', text: 'and' },
  ]);
});

test('whatever the pieces, the lines of each stream are those that it printed', () => {
  const any = fc.record({
    stream: fc.constantFrom<OutputPiece['stream']>('stdout', 'stderr'),
    text: fc.string({ unit: fc.constantFrom('a', 'b', '\n') }),
  });
  fc.assert(
    fc.property(fc.array(any), (given) => {
      const { pieces, droppedLines } = given.reduce(addOutput, NOTHING_PRINTED);
      expect(droppedLines).toBe(0);
      for (const stream of ['stdout', 'stderr'] as const) {
        const printed = given.filter((one) => one.stream === stream).map(({ text }) => text);
        const lines = linesOf(pieces).filter((line) => line.stream === stream);
        expect(lines.map(({ text }) => text).join('\n')).toBe(printed.join('').replace(/\n$/, ''));
      }
    }),
  );
});

test('lets go of the beginning, and says how many lines that were', () => {
  let printed = NOTHING_PRINTED;
  for (let at = 0; at < 3000; at++) printed = addOutput(printed, piece('stdout', `line ${at}\n`));
  const lines = linesOf(printed.pieces);
  expect(lines.at(-1)?.text).toBe('line 2999');
  expect(printed.droppedLines).toBeGreaterThan(1000);
  // The first of them may have lost its beginning.
  expect(printed.droppedLines + lines.length).toBe(3000);
});
