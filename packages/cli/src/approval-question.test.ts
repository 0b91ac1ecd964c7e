import type { ApprovalRequest } from '@toolpost/host';
import { expect, test } from 'vitest';
import { approvalText } from './approval-question.ts';

const session = { id: 's', tenant: '', channel: 'cli', chatId: 's', user: '', roots: [] };

/** What is shown of a request, one row a line. */
function shown(request: Partial<ApprovalRequest>, isWhole = false) {
  const { what, reason, rows, change, mark, isCut } = approvalText(
    {
      ...{ approvalId: 'a', toolCallId: 'c', session, plugin: 'p', name: 'tool', arguments: '{}', reason: 'it asks' },
      ...{ mayBeKept: true, ...request },
    },
    { isWhole },
  );
  const signs = { same: ' ', added: '+', removed: '-', note: '' } as const;
  const changed = (change?.rows ?? []).map(({ kind, text }) => `${mark}${signs[kind]}${text}`);
  const lines = [`Allow ${what}? (${reason})`, ...rows.map(({ text }) => text), ...changed];
  return { text: lines.join('\n'), rows, change, isCut };
}

const diffOf = (lines: string[]) => ['--- a/f', '+++ b/f', '@@ -1,1 +1,1 @@', ...lines].join('\n');
const edit = (preview: string) => ({
  plugin: 'builtin',
  name: 'edit',
  arguments: JSON.stringify({ file_path: 'f', old_string: 'a', new_string: 'hidden-in-arguments' }),
  preview,
});

test('the arguments are left to the diff only where it is one of a built-in tool that hides nothing in its lines', () => {
  const whole = diffOf(['-a', '+hidden-in-arguments']);
  const isListed = (request: Partial<ApprovalRequest>) => shown(request).text.includes('new_string');
  expect(isListed(edit(whole))).toBe(false);
  expect(isListed({ ...edit(whole), plugin: 'p' })).toBe(true);
  expect(isListed(edit(`${whole}\n... (7 more lines)`))).toBe(true);
  expect(isListed(edit(diffOf(Array(150).fill('+x'))))).toBe(false);
  expect(shown(edit(diffOf(Array(150).fill('+x')))).isCut).toBe(true);
  expect(isListed(edit(diffOf([`+${'x'.repeat(5000)}`])))).toBe(true);
  expect(isListed(edit('This call would fail: f does not exist'))).toBe(true);
});

test('a diff has its lines by their numbers, all that is in them spelled out; which file it is of stands above it', () => {
  const { rows, change } = shown(edit(diffOf([' same', '-old\u202e', '+\tnew', '\\ No newline at end of file'])));
  expect(rows.map(({ text }) => text.trim())).toEqual(['file_path  f']);
  expect(change).toEqual({
    path: 'f',
    rows: [
      { kind: 'same', before: 1, after: 1, text: 'same' },
      { kind: 'removed', before: 2, text: 'old\\u202e' },
      { kind: 'added', after: 2, text: '→   new' },
      { kind: 'note', text: 'No newline at end of file' },
    ],
  });
});

test('the diff of a plugin keeps the name that it gives to the file; that of several files is shown line by line', () => {
  const { rows } = shown({ preview: diffOf(['-a', '+b']) });
  expect(rows.map(({ text }) => text)).toEqual([
    'without arguments',
    'preview, as p tells it:',
    '  │ --- a/f',
    '  │ +++ b/f',
  ]);
  const both = shown({ preview: `${diffOf(['-a', '+b'])}\n--- a/hidden\n+++ b/other\n@@ -1 +1 @@\n-c\n+d` });
  expect(both.change).toBeUndefined();
  expect(both.text).toContain('  │ --- a/hidden\n  │ +++ b/other\n');
});

test('line ends of a CRLF file are said once; a line end that changes is seen', () => {
  const same = shown(edit(diffOf([' one\r', '-two\r', '+TWO\r']))).text;
  expect(same).toMatch(/-two\n +\+TWO\n +\(each of these lines ends in CRLF\)$/);
  expect(same).not.toContain('\\u000d');
  const mixed = shown(edit(diffOf([' one\r', '-two\r', '+two']))).text;
  expect(mixed).toMatch(/ one\\u000d\n +-two\\u000d\n +\+two$/);
  const twice = shown(edit(diffOf([' one\r', '+two\r\r']))).text;
  expect(twice).toMatch(/\+two\\u000d\n/);
});

test('nothing that is asked about can look like the question, or hide', () => {
  const { text } = shown({
    name: 'to\nol',
    plugin: 'p\u001b[8m',
    reason: 'because\n  Once (y)',
    arguments: JSON.stringify({ 'a\nAllow x?': 'v\r\u001b[1A', b: `x${' '.repeat(1000)}; rm -rf /` }),
    preview: 'fine\r\u001b[2Jy',
  });
  expect(text).not.toMatch(/[\r\u001b]/);
  expect(text.match(/^Allow/gm)).toHaveLength(1);
  expect(text).toContain('Allow to\\nol of plugin p\\u001b[8m? (because\\n  Once (y))');
  expect(text).toContain('; rm -rf /');
});

test('many and deep arguments are cut, and shown all where the whole is wanted', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name${index}`, { list: [index] }]));
  const short = shown({ arguments: JSON.stringify(many) });
  expect([short.isCut, short.text]).toEqual([true, expect.stringContaining('… 60 more arguments …')]);
  expect(short.text).not.toContain('name99');
  const whole = shown({ arguments: JSON.stringify(many) }, true);
  expect([whole.isCut, whole.text]).toEqual([false, expect.stringContaining('name99  {"list":[99]}')]);
});
