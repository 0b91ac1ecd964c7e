import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairRows, parseDiff, parseDiffFiles, pathOfDiff } from '../src/renderers/parse-diff.ts';

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

const TWO_FILES = [
  ...['diff --git a/one.sql b/one.sql', 'index 1..2 100644', '--- a/one.sql', '+++ b/one.sql'],
  ...['@@ -1,2 +1,2 @@', '--- the first', '+++ the first', ' select 1;'],
  ...['diff --git a/logo.png b/logo.png', 'Binary files a/logo.png and b/logo.png differ'],
  ...[
    'diff --git a/two.ts b/two.ts',
    '--- a/two.ts\t2026-11-30',
    '+++ b/two.ts\t2026-11-30',
    '@@ -1 +1 @@',
    '-old',
    '+new',
  ],
].join('\n');

test('a diff of several files is a part for each, and a removed line that looks like the head of a file is a line', () => {
  const files = parseDiffFiles(TWO_FILES);
  expect(files.map(({ path, rows }) => [path, rows.map(({ kind, text }) => `${kind} ${text}`)])).toEqual([
    ['one.sql', ['removed -- the first', 'added ++ the first', 'same select 1;']],
    ['logo.png', ['note Binary files a/logo.png and b/logo.png differ']],
    ['two.ts', ['removed old', 'added new']],
  ]);
  expect(files.map(({ text }) => text).join('')).toBe(`${TWO_FILES}\n`);
  expect(parseDiff(TWO_FILES)?.flatMap((row) => ('isFile' in row ? [row.text] : []))).toEqual([
    ...['one.sql', 'logo.png', 'two.ts'],
  ]);
});

test('any number of diffs behind each other are their files, with no line of one in another', () => {
  const file = fc.record({ before: texts, after: texts }).filter(({ before, after }) => before.join() !== after.join());
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 4 }), (all) => {
      const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
      const patches = all.map(({ before, after }, at) =>
        createTwoFilesPatch(`a/${at}`, `b/${at}`, text(before), text(after), undefined, undefined, { context: 1 }),
      );
      const files = parseDiffFiles(patches.map((patch) => patch.replace(/^=+\n/, '')).join(''));
      expect(files.map(({ path }) => path)).toEqual(all.map((_, at) => `${at}`));
      for (const [at, { rows }] of files.entries()) expect(rows).toEqual(parseDiff(patches[at] ?? ''));
    }),
  );
});

test('a diff whose counts of lines are wrong still begins anew at the next file', () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n';
  expect(parseDiffFiles(diff).map(({ path, rows }) => [path, rows.length])).toEqual([
    ['x', 2],
    ['y', 2],
  ]);
});
