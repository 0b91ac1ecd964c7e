import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTameMarkdown } from '../src/text/tame-markdown.ts';

const CODE = `${'const [a, b] = [*x, _y, ~z, `t`];\n'.repeat(500)}`;

test('takes what people and models write', () => {
  const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(2000)}`;
  const list = Array.from({ length: 12 }, (_, depth) => `${'  '.repeat(depth)}- **item** \`${depth}\``).join('\n');
  for (const text of [
    '',
    'Hello',
    `# Title\n\n${list}\n\n${table}`,
    `\`\`\`js\n${CODE}\`\`\`\n\nThat is all.`,
    '> > > quoted',
  ])
    expect(isTameMarkdown(text)).toBe(true);
});

test.each([
  ['deep quotes', `${'>'.repeat(5000)} x`],
  ['deep quotes with spaces', `${' > '.repeat(500)} x`],
  ['deep lists in one line', `${'- '.repeat(500)} x`],
  ['deep lists in many lines', Array.from({ length: 500 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
  ['brackets', '['.repeat(5000)],
  ['emphasis over many lines', '**a\n'.repeat(5000)],
  ['strikes', '~~a'.repeat(5000)],
  ['a line without an end', 'word '.repeat(10_000)],
  ['a table of too many cells', `${`|${' b |'.repeat(300)}\n`.repeat(300)}`],
  ['marks behind a fence that was closed', `\`\`\`\ncode\n\`\`\`\n${'['.repeat(5000)}`],
])('does not take %s', (_name, text) => {
  expect(isTameMarkdown(text)).toBe(false);
});

test('says it of any text, soon', () => {
  const piece = fc.constantFrom('```', '~~~', '>', '- ', '[', '**', '|', '\n', '\n\n', ' ', 'a', '1. ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 3000 }), (pieces) => {
      expect(typeof isTameMarkdown(pieces.join(''))).toBe('boolean');
    }),
  );
});
