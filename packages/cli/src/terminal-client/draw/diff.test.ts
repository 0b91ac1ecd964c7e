import type { CallRecord } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { changeCount, changeOf, foldedChangeLines, wholeChangeLines } from './diff.ts';
import { renderLine } from './line.ts';
import { createTheme } from './theme.ts';

const page = { theme: createTheme(1), width: 60 };

const record = (metadata: Record<string, unknown>) => ({ metadata }) as CallRecord;
const lines = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

function folded(metadata: Record<string, unknown>) {
  const change = changeOf(record(metadata), 'a.ts');
  return change && foldedChangeLines(change, page).map(renderLine);
}

test('at most five removed and five added lines are shown, by their numbers, and that there are more', () => {
  expect(folded({ start_line: 42, old_lines: lines('old', 6), new_lines: lines('new', 2) })).toEqual([
    ...['    42 - old0', '    43 - old1', '    44 - old2', '    45 - old3', '    46 - old4', '       - …'],
    ...['    42 + new0', '    43 + new1'],
  ]);
  expect(folded({ start_line: 1, old_lines: lines('old', 5), new_lines: [] })).toHaveLength(5);
});

test('a diff is read by its own numbers, and is shown whole with what is around it', () => {
  const diff = '--- a/x.ts\n+++ b/x.ts\n@@ -7,3 +9,3 @@\n same\n-old\n+new\n same\n';
  const change = changeOf(record({ diff }), '');
  expect(change?.path).toBe('x.ts');
  expect(change && changeCount(change)).toBe('+1 -1');
  expect(folded({ diff })).toEqual(['     8 - old', '    10 + new']);
  expect(change && wholeChangeLines(change, page).map(renderLine)).toEqual([
    ...['     9   same', '     8 - old', '    10 + new', '    11   same'],
  ]);
});

test('a diff of two files names each of them, and counts no line of a head', () => {
  const one = '--- a/x.sql\n+++ b/x.sql\n@@ -1 +1 @@\n--- old\n+++ new\n';
  const change = changeOf(record({ diff: `${one}--- a/y.ts\n+++ b/y.ts\n@@ -1 +0,0 @@\n-gone\n` }), '');
  expect(change && changeCount(change)).toBe('+1 -2');
  expect(change && wholeChangeLines(change, page).map(renderLine)).toEqual([
    ...['       x.sql', '     1 - -- old', '     1 + ++ new'],
    ...['       y.ts', '     1 - gone'],
  ]);
});

test('what is no change is none', () => {
  for (const metadata of [
    {},
    { diff: 'no diff' },
    { start_line: '1', old_lines: [], new_lines: [] },
    { start_line: 1, old_lines: [1], new_lines: [] },
  ])
    expect(folded(metadata)).toBeUndefined();
});
