import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairRows, parseDiff, pathOfDiff } from '../src/renderers/parse-diff.ts';

const texts = fc.array(fc.constantFrom('a', 'b', '-- c', '++ d', '@@ e', ' f', ''), { maxLength: 12 });

test('the rows of any diff are the lines of both files, numbered', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      fc.pre(before.join('\n') !== after.join('\n'));
      const whole = { context: 100 };
      const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
      const rows = parseDiff(createTwoFilesPatch('a/x', 'b/x', text(before), text(after), '', '', whole)) ?? [];
      const left = rows.flatMap((row) => ('before' in row ? [[row.before, row.text]] : []));
      const right = rows.flatMap((row) => ('after' in row ? [[row.after, row.text]] : []));
      expect(left).toEqual(before.map((line, index) => [index + 1, line]));
      expect(right).toEqual(after.map((line, index) => [index + 1, line]));
      const pairs = pairRows(rows);
      expect(pairs.flatMap(({ left }) => (left && 'before' in left ? [left.before] : []))).toHaveLength(before.length);
      expect(pairs.flatMap(({ right }) => (right && 'after' in right ? [right.after] : []))).toHaveLength(after.length);
    }),
  );
});

test('reads a diff that was cut at its end, and says what it leaves out', () => {
  const rows = parseDiff('--- a/x.ts\n+++ b/x.ts\n@@ -1,9 +1,9 @@\n-old\n+new\n... (7 more lines)');
  expect(rows?.map(({ kind, text }) => [kind, text])).toEqual([
    ['removed', 'old'],
    ['added', 'new'],
    ['note', '... (7 more lines)'],
  ]);
  expect(pathOfDiff('--- a/x.ts\n+++ b/x.ts\n')).toBe('x.ts');
  expect(pathOfDiff('--- a/gone.ts\n+++ /dev/null\n')).toBe('gone.ts');
});

test.each(['', 'npm test', '--- a\n+++ b\n', '- item\n+ item'])('%j is no diff', (text) => {
  expect(parseDiff(text)).toBeUndefined();
});
