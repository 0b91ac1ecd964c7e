import { expect, test } from 'vitest';
import { isIgnored, parseIgnoreRules } from './ignore-rules.ts';

function ignores(rules: string, path: string): boolean {
  const isDirectory = path.endsWith('/');
  return isIgnored([parseIgnoreRules(rules, { prefix: '' })], isDirectory ? path.slice(0, -1) : path, isDirectory);
}

test.each([
  ['*.log', ['a.log', 'x/y.log', '.log'], ['a.logs', 'log']],
  ['/a', ['a', 'a/'], ['x/a']],
  ['a/b', ['a/b'], ['x/a/b', 'a/b/c']],
  ['build/', ['build/', 'x/build/'], ['build', 'x/build']],
  ['**/foo', ['foo', 'a/b/foo'], ['a/foobar']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a/xb', 'ab']],
  ['a/**', ['a/b', 'a/b/c'], ['a/', 'b/a/c']],
  ['***/a/****', ['a/b', 'x/y/a/b/c'], ['a/', 'a']],
  ['a*c', ['abc', 'ac', 'x/abc'], ['a/c']],
  ['?.txt', ['a.txt'], ['ab.txt', '/.txt']],
  ['[a-c]x', ['ax', 'cx'], ['dx']],
  ['[!a]x', ['bx'], ['ax']],
  ['[]]x', [']x'], ['x']],
  ['\\#a', ['#a'], ['a']],
  ['\\!a', ['!a'], ['a']],
  ['# a', [], ['a', '# a']],
  ['a  ', ['a'], ['a ']],
  ['a\t', ['a\t'], ['a']],
  ['a\\  ', ['a '], ['a', 'a  ']],
  ['a\\ ', ['a '], ['a']],
  ['a.b(c|d)+{e,f}', ['a.b(c|d)+{e,f}'], ['axb(c|d)+{e,f}', 'a.bc']],
  ['[z-a]', ['z'], ['a', 'm', '[z-a]']],
  ['[[:alpha:]]x', ['ax', 'Zx'], ['1x', ':x', '[:alpha:]x']],
  ['[^[:digit:]_]x', ['ax'], ['1x', '_x']],
  ['[[:space:][:punct:]]', [' ', ']', '-', '\\', '['], ['a', '/']],
  ['[\\]a]x', [']x', 'ax'], ['\\x']],
  ['[a\\-c]x', ['ax', '-x', 'cx'], ['bx']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[-a]x', ['ax', '-x'], ['bx']],
  ['*.py[cod]', ['a.pyc', 'x/a.pyo'], ['a.py', 'a.pyx']],
  ['[a', [], ['a', '[a']],
  ['*.log\n!keep.log', ['a.log'], ['keep.log']],
  ['!a\na', ['a'], []],
  ['\u00e9*', ['\u00e9t\u00e9'], ['ete']],
])('%j', (rules, ignored, kept) => {
  expect(ignored.filter((path) => !ignores(rules, path))).toEqual([]);
  expect(kept.filter((path) => ignores(rules, path))).toEqual([]);
});

test.each([
  ['*a*b*c*', ['xaxbxc', 'abc', 'd/abc/'], ['acb', 'a/bc']],
  ['/x/**/y/**/z/**', ['x/y/z/a', 'x/1/y/2/3/z/a/b'], ['x/y/z', 'x/z/y/a', 'w/x/y/z/a']],
  ['**/*a?[!c]*/b*', ['xa1d/b', 'p/q/a12/bb'], ['a1/b', 'a1c/b', 'a12/c']],
  ['*é*😀*x', ['é😀x'], ['éx']],
])('many parts of any length: %j', (rules, ignored, kept) => {
  expect(ignored.filter((path) => !ignores(rules, path))).toEqual([]);
  expect(kept.filter((path) => ignores(rules, path))).toEqual([]);
});

test('a pattern that a regular expression would try for ever takes no time', () => {
  const path = `${'a'.repeat(120)}/`.repeat(30);
  for (const pattern of [`${'*a'.repeat(20)}b`, `**/${'*a*/'.repeat(20)}**/b`, `/${'**/a*a/'.repeat(10)}b`]) {
    expect(ignores(pattern, path.slice(0, -1))).toBe(false);
  }
});

test('a nearer file overrides one further up, in its own directory only', () => {
  const frames = [
    parseIgnoreRules('*.gen.ts\n', { prefix: '' }),
    parseIgnoreRules('!*.gen.ts\n/x\n', { prefix: 'sub/' }),
  ];
  expect(isIgnored(frames, 'a.gen.ts', false)).toBe(true);
  expect(isIgnored(frames, 'sub/a.gen.ts', false)).toBe(false);
  expect(isIgnored(frames, 'sub/x', false)).toBe(true);
  expect(isIgnored(frames, 'sub/y/x', false)).toBe(false);
});
