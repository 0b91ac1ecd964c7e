import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinCommandLine, splitCommandLine } from './split-command-line.ts';

it.each([
  ['python3 main.py', ['python3', 'main.py']],
  ['  node\t main.mjs \n', ['node', 'main.mjs']],
  [
    `node "serve odd names.mjs" --label 'two words' $HOME;`,
    ['node', 'serve odd names.mjs', '--label', 'two words', '$HOME;'],
  ],
  [`a"b c"'d e'f`, ['ab cd ef']],
  [`a\\ b "c\\"d\\\\e\\n" 'f\\g'`, ['a b', 'c"d\\e\\n', 'f\\g']],
  [`"" ''`, ['', '']],
  ['', []],
  ['a\\', ['a\\']],
  ['*.py `id` $(id) a|b >c', ['*.py', '`id`', '$(id)', 'a|b', '>c']],
])('splits %j as a shell would, without expanding anything', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

it.each(['node "main.mjs', "node 'a b", 'x "y\\"'])('names the line whose quote is open: %s', (line) => {
  expect(() => splitCommandLine(line)).toThrow(`a quote is not closed in the program line: ${line}`);
});

it('splits what it joined into the same words', () => {
  const anyWords = fc.array(fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(anyWords, (words) => {
      expect(splitCommandLine(joinCommandLine(words))).toEqual(words);
    }),
  );
});
