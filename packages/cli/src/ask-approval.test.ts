import type { ApprovalRequest } from '@toolpost/host';
import { expect, test } from 'vitest';
import { createTerminalApprover } from './ask-approval.ts';
import { createTerminalStyle } from './terminal-style.ts';

const session = { id: 's', tenant: '', channel: 'cli', chatId: 's', user: '', roots: [] };

/** What is said and asked for a request, when these answers are typed. */
async function shown(request: Partial<ApprovalRequest>, ...typed: (string | undefined)[]) {
  const screen: string[] = [];
  const approve = createTerminalApprover(
    {
      inTurn: (work) => work(),
      async ask(question) {
        screen.push(question);
        return typed.shift();
      },
      say: (text) => void screen.push(text),
      beside: (write) => write(),
    },
    createTerminalStyle(false),
  );
  const whole: ApprovalRequest = {
    ...{ approvalId: 'a', toolCallId: 'c', session, plugin: 'p', name: 'tool', arguments: '{}', reason: 'it asks' },
    ...{ mayBeKept: true, ...request },
  };
  const answer = await approve(whole, undefined);
  return { answer, text: screen.join('') };
}

const diffOf = (lines: string[]) => ['--- a/f', '+++ b/f', '@@ -1,1 +1,1 @@', ...lines].join('\n');
const edit = (preview: string) => ({
  plugin: 'builtin',
  name: 'edit',
  arguments: JSON.stringify({ file_path: 'f', old_string: 'a', new_string: 'hidden-in-arguments' }),
  preview,
});

test.each([
  ['y', { answer: 'once' }],
  [' YES ', { answer: 'once' }],
  ['s', { answer: 'session' }],
  ['always', { answer: 'always' }],
  ['n', { answer: 'no' }],
  ['', { answer: 'no' }],
  [undefined, { answer: 'no' }],
  ['yes but not now', { answer: 'no', reason: 'yes but not now' }],
])('%j is %o', async (typed, answer) => {
  expect((await shown({}, typed)).answer).toEqual({ by: 'terminal', ...answer });
});

test('the arguments are left to the diff only where it is one of a built-in tool that hides nothing in its lines', async () => {
  const whole = diffOf(['-a', '+hidden-in-arguments']);
  const isListed = async (request: Partial<ApprovalRequest>) => (await shown(request, 'n')).text.includes('new_string');
  expect(await isListed(edit(whole))).toBe(false);
  expect(await isListed({ ...edit(whole), plugin: 'p' })).toBe(true);
  expect(await isListed(edit(`${whole}\n... (7 more lines)`))).toBe(true);
  expect(await isListed(edit(diffOf(Array(150).fill('+x'))))).toBe(false);
  expect((await shown(edit(diffOf(Array(150).fill('+x'))), 'n')).text).toContain('v = view all');
  expect(await isListed(edit(diffOf([`+${'x'.repeat(5000)}`])))).toBe(true);
  expect(await isListed(edit('This call would fail: f does not exist'))).toBe(true);
});

test('line ends of a CRLF file are said once; a line end that changes is seen', async () => {
  const same = (await shown(edit(diffOf([' one\r', '-two\r', '+TWO\r'])), 'n')).text;
  expect(same).toMatch(/-two\n +\+TWO\n +\(each of these lines ends in CRLF\)\n/);
  expect(same).not.toContain('\\u000d');
  const mixed = (await shown(edit(diffOf([' one\r', '-two\r', '+two'])), 'n')).text;
  expect(mixed).toMatch(/ one\\u000d\n +-two\\u000d\n +\+two\n/);
  const twice = (await shown(edit(diffOf([' one\r', '+two\r\r'])), 'n')).text;
  expect(twice).toContain('+two\\u000d\n');
});

test('nothing that is asked about can look like the question, or hide', async () => {
  const { text } = await shown(
    {
      name: 'to\nol',
      plugin: 'p\u001b[8m',
      reason: 'because\n  y = once',
      arguments: JSON.stringify({ 'a\nAllow x?': 'v\r\u001b[1A', b: `x${' '.repeat(1000)}; rm -rf /` }),
      preview: 'fine\r\u001b[2Jy',
    },
    'n',
  );
  expect(text.replace('\u001b[0m', '')).not.toMatch(/[\r\u001b]/);
  expect(text.match(/^Allow/gm)).toHaveLength(1);
  expect(text.match(/y = once/g)).toHaveLength(2);
  expect(text).toContain('Allow to\\nol of plugin p\\u001b[8m? (because\\n  y = once)');
  expect(text).toContain('; rm -rf /');
});

test('many and deep arguments are cut, and v shows them all', async () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name${index}`, { list: [index] }]));
  const { text } = await shown({ arguments: JSON.stringify(many) }, 'v', 'n');
  const [first = '', second = ''] = text.split('view all');
  expect(first).toContain('… 60 more arguments …');
  expect(first).not.toContain('name99');
  expect(second).toContain('name99  {"list":[99]}');
  expect(second).not.toContain('v = view all');
});
