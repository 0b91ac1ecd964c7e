import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProgressLines } from './progress-lines.ts';
import { createStreamedLines } from './streamed-lines.ts';

function linesOf(pieces: readonly (readonly [stream: string, text: string])[]): string[] {
  const shown: string[] = [];
  const lines = createStreamedLines((line) => shown.push(line));
  for (const [stream, text] of pieces) lines.add(stream, text);
  lines.end();
  return shown;
}

test('lines are whole for each stream, and the last one needs no end', () => {
  expect(
    linesOf([
      ['stdout', 'one\ntw'],
      ['stderr', 'wa'],
      ['stdout', 'o\r'],
      ['stderr', 'rning\n'],
      ['stdout', '\n\nthree'],
    ]),
  ).toEqual(['one', 'two', 'warning', 'three']);
});

test('a progress bar is a line for each state of it', () => {
  expect(
    linesOf([
      ['stdout', '10%\r20%\r'],
      ['stdout', '30%\n'],
    ]),
  ).toEqual(['10%', '20%', '30%']);
});

test('how the text is cut into pieces makes no difference, and no escape sequence gets through', () => {
  const evil = 'a\u001b[31mred\u001b]0;title\u0007\nb\u001b[2Jc\u202ed\r\nlast \u{1F600}';
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: evil.length }), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), evil.length];
      const pieces = places.slice(1).map((end, index) => ['stdout', evil.slice(places[index], end)] as const);
      expect(linesOf(pieces)).toEqual(['ared', 'bcd', 'last \u{1F600}']);
    }),
  );
});

test('a long line is cut, and a flood ends with one note', () => {
  expect(linesOf([['stdout', `${'x'.repeat(100_000)}\n`]])).toEqual([`${'x'.repeat(200)}…`]);
  const flood = linesOf([['stdout', Array.from({ length: 10_000 }, (_, index) => `line ${index}\n`).join('')]]);
  expect(flood).toHaveLength(201);
  expect(flood.slice(-2)).toEqual(['line 199', '… the rest is not shown here']);
});

test('progress is a line for a change, and not more than four a second', () => {
  const shown: string[] = [];
  let now = 0;
  const progress = createProgressLines(
    (line) => shown.push(line),
    () => now,
  );
  const at = (ms: number, done: number, message?: string) => {
    now = ms;
    progress({ type: 'tool-progress', toolCallId: 'c', progress: done, total: 10, ...(message && { message }) });
  };
  at(0, 1, 'reading');
  at(100, 2, 'reading');
  at(250, 3, 'rea\u001b[31mding\nmore');
  at(600, 3, 'reading more');
  at(900, 4);
  expect(shown).toEqual(['… 1/10 reading', '… 3/10 reading more', '… 4/10']);
});
