import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from './fixtures/workspace.ts';

const special = `it's $HOME & \`x\` $& $1 $$ \\1 "q" 100% \\n`;

function edit({ call }: Workspace, oldText: string, newText: string, more = {}) {
  return call('edit', { file_path: 'a.txt', old_string: oldText, new_string: newText, ...more });
}

test.each([
  ['keeps CRLF', 'one\r\ntwo\r\n', 'two', 'TWO', 'one\r\nTWO\r\n'],
  ['matches CRLF by LF and writes CRLF', 'one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2', '1\r\n2\r\nthree\r\n'],
  ['writes the line end of the line it changes', 'one\r\ntwo\r\n', 'two', 'a\nb', 'one\r\na\r\nb\r\n'],
  ['takes the line end before an unended last line', 'one\r\ntwo', 'two', 'a\nb', 'one\r\na\r\nb'],
  ['keeps mixed line ends in their order', 'a\r\nb\nc\r\n', 'a\nb\nc', 'A\nB\nC\nD', 'A\r\nB\nC\nD\r\n'],
  ['takes a CR that is spelled out byte by byte', 'a\r\nb\r\n', 'a\r\nb', 'a\nb', 'a\nb\r\n'],
  ['keeps a CRLF that only the new text spells out', 'a\nb\n', 'a', 'x\r\ny', 'x\r\ny\nb\n'],
  ['replaces a line end at the start of the old text whole', 'a\r\nb', '\nb', '!', 'a!'],
  ['keeps the byte order mark and tabs', '\ufeff\tone  \r\n\ttwo', 'one', '1', '\ufeff\t1  \r\n\ttwo'],
  ['keeps a missing final newline', 'a\nlast', 'last', 'end', 'a\nend'],
  ['replaces an emoji whole', 'a \u{1F600} b', '\u{1F600}', '\u{1F389}', 'a \u{1F389} b'],
  ['takes the new text literally', 'x = 1\n', 'x = 1', special, `${special}\n`],
  ['takes the old text literally', 'a.c abc\n', 'a.c', 'A', 'A abc\n'],
  ['deletes', 'one\ntwo\nthree\n', 'two\n', '', 'one\nthree\n'],
  ['replaces the whole file', 'all', 'all', 'new', 'new'],
])('%s', async (_, before, oldText, newText, after) => {
  const workspace = createWorkspace();
  workspace.file('a.txt', before);
  expect(await edit(workspace, oldText, newText)).toMatchObject({ isError: false, text: 'Successfully edited a.txt' });
  expect(workspace.bytes('a.txt').toString()).toBe(after);
});

test.each([
  [
    'several matches, with their count and lines',
    'x\nsame\ny\nsame\n',
    'same',
    'other',
    /matches 2 times .* lines 2, 4; nothing/,
  ],
  ['a match that overlaps itself', 'aaa\n', 'aa', 'b', /matches 2 times/],
  ['several matches over CRLF', 'a\r\nb\r\na\r\nb\r\n', 'a\nb', 'c', /matches 2 times .* lines 1, 3;/],
  ['an old text that is not there', 'one\n', 'four', 'five', /old_string not found in a\.txt/],
  ['other blanks than the file has', 'if (x) {\n\treturn\n}\n', '    return', 'x', /not found/],
  [
    'CRLF in the old text of a LF file, and says why',
    'a\nb\n',
    'a\r\nb',
    'x',
    /LF line ends where old_string has CRLF/,
  ],
  ['an empty old text', 'one\n', '', 'x', /old_string is empty/],
  ['equal texts', 'one\n', 'one', 'one', /are the same/],
  ['a change that comes to nothing', 'a\r\nb', 'a\nb', 'a\r\nb', /would not change/],
  ['half a character', 'a\u{1F600}', '\ud83d', 'x', /half a character/],
])('refuses %s, and leaves the file', async (_, before, oldText, newText, message) => {
  const workspace = createWorkspace();
  workspace.file('a.txt', before);
  expect(await edit(workspace, oldText, newText)).toMatchObject({ isError: true, text: message });
  expect(workspace.bytes('a.txt').toString()).toBe(before);
});

test('replaces every occurrence when asked to, each with its own line end', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'a,\r\nb,\na,\r\n');
  const { metadata } = await edit(workspace, ',\n', ';\n\n', { replace_all: true });
  expect(workspace.bytes('a.txt').toString()).toBe('a;\r\n\r\nb;\n\na;\r\n\r\n');
  expect(metadata.replacements).toBe(3);
});

test('describes the change by whole lines and a unified diff', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'a\nb\nthe c\nd\ne\nf\ng\n');
  const { metadata } = await edit(workspace, 'b\nthe', 'B\nX\nthe');
  expect(metadata).toEqual({
    start_line: 2,
    old_lines: ['b', 'the c'],
    new_lines: ['B', 'X', 'the c'],
    diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,6 @@\n a\n-b\n+B\n+X\n the c\n d\n e',
    seen: { path: expect.stringMatching(/a\.txt$/), digest: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
});

test('refuses text that is not UTF-8 and leaves every byte', async () => {
  const workspace = createWorkspace();
  const latin = Buffer.from('caf\xe9 target \xff\n', 'latin1');
  workspace.file('a.txt', latin);
  expect(await edit(workspace, 'target', 'x')).toMatchObject({ isError: true, text: /not UTF-8/ });
  expect(workspace.bytes('a.txt')).toEqual(latin);
});

test('keeps the mode and refuses a read-only file', async () => {
  const workspace = createWorkspace();
  const path = workspace.file('a.txt', 'one');
  chmodSync(path, 0o750);
  await edit(workspace, 'one', 'two');
  expect(statSync(path).mode & 0o7777).toBe(0o750);
  chmodSync(path, 0o444);
  expect(await edit(workspace, 'two', 'three')).toMatchObject({ isError: true, text: /read-only/ });
  expect(workspace.bytes('a.txt').toString()).toBe('two');
});

test.skipIf(process.getuid?.() !== 0)('keeps the owner (needs root)', async () => {
  const workspace = createWorkspace();
  const path = workspace.file('a.txt', 'one');
  execFileSync('chown', ['65534:65534', path]);
  await edit(workspace, 'one', 'two');
  expect(statSync(path)).toMatchObject({ uid: 65534, gid: 65534 });
});

test('writes through a link inside the root, and keeps hard links one file', async () => {
  const workspace = createWorkspace();
  const real = workspace.file('real.txt', 'one one-longer');
  symlinkSync('real.txt', join(workspace.root, 'a.txt'));
  linkSync(real, join(workspace.root, 'twin.txt'));
  await edit(workspace, 'one one-longer', 'two');
  expect(readlinkSync(join(workspace.root, 'a.txt'))).toBe('real.txt');
  expect(workspace.bytes('real.txt').toString()).toBe('two');
  expect(workspace.bytes('twin.txt').toString()).toBe('two');
});

test('leaves no temporary file, whether it succeeds or fails', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'one');
  await edit(workspace, 'one', 'two');
  await edit(workspace, 'none', 'two');
  expect(readdirSync(workspace.root)).toEqual(['a.txt']);
});

test('runs simultaneous edits of one file one after the other', async () => {
  const workspace = createWorkspace();
  const names = Array.from({ length: 20 }, (_, index) => `<${index}>`);
  workspace.file('a.txt', names.join('\n'));
  const answers = await Promise.all(names.map((name) => edit(workspace, name, `${name}!`)));
  expect(answers.filter(({ isError }) => isError)).toEqual([]);
  expect(workspace.bytes('a.txt').toString()).toBe(names.map((name) => `${name}!`).join('\n'));
});

test('queues simultaneous edits of one file through its hard links', async () => {
  const workspace = createWorkspace();
  linkSync(workspace.file('a.txt', 'one two\n'), join(workspace.root, 'b.txt'));
  const answers = await Promise.all([
    edit(workspace, 'one', '1'),
    workspace.call('edit', { file_path: 'b.txt', old_string: 'two', new_string: '2' }),
  ]);
  expect(answers.map(({ isError }) => isError)).toEqual([false, false]);
  expect(workspace.bytes('a.txt').toString()).toBe('1 2\n');
});

test('refuses a file that changed since the session read it, until it is read again', async () => {
  const workspace = createWorkspace();
  const path = workspace.file('a.txt', 'one two');
  await workspace.call('read', { file_path: 'a.txt' });
  writeFileSync(path, 'one TWO');
  expect(await edit(workspace, 'one', '1')).toMatchObject({ isError: true, text: /changed on disk since it was read/ });
  expect(workspace.bytes('a.txt').toString()).toBe('one TWO');
  await workspace.call('read', { file_path: 'a.txt' });
  expect((await edit(workspace, 'one', '1')).isError).toBe(false);
  expect((await edit(workspace, '1', 'one')).isError).toBe(false);
});

test('writes nothing once the call is aborted', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'one');
  const input = { file_path: 'a.txt', old_string: 'one', new_string: 'two' };
  await expect(workspace.call('edit', input, { abortSignal: AbortSignal.abort() })).rejects.toThrow();
  expect(workspace.bytes('a.txt').toString()).toBe('one');
});

// Comparing at each place anew would take minutes: the time a test has is the bound.
test('takes linear time for repetitive texts', async () => {
  const workspace = createWorkspace();
  const before = `${'a'.repeat(5_000_000)}b`;
  workspace.file('a.txt', before);
  const many = 'a'.repeat(100_000);
  expect((await edit(workspace, `${many}b`, 'b')).isError).toBe(false);
  expect((await edit(workspace, `${many}c`, 'b')).text).toMatch(/not found/);
  expect((await edit(workspace, many, 'b')).text).toMatch(/matches 4800001 times .* and 4799981 more/);
  expect(workspace.bytes('a.txt').length).toBe(before.length - 100_000);
});

test('counts no more matches than make a difference', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'x'.repeat(6_000_000));
  expect((await edit(workspace, 'x', 'y')).text).toMatch(/matches more than 5000000 times .* on lines 1, 1, /);
});

test('lets go of a search when the call is aborted', async () => {
  const workspace = createWorkspace();
  workspace.file('a.txt', Buffer.alloc(32 * 1024 * 1024, 'ab'));
  const input = { file_path: 'a.txt', old_string: `${'ab'.repeat(20)}c`, new_string: 'x' };
  const abort = new AbortController();
  const call = workspace.call('edit', input, { abortSignal: abort.signal });
  setTimeout(() => abort.abort(new Error('stopped by the test')), 100);
  await expect(call).rejects.toThrow('stopped by the test');
});

test.each([
  ['grows beyond what can be edited', 100_000, 'y'.repeat(1000), /would grow to 100000000 bytes/],
  ['has more matches than the memory should hold', 1_000_001, 'y', /matches more than 1000000 times/],
])('refuses a replace_all that %s, and leaves the file', async (_, size, newText, message) => {
  const workspace = createWorkspace();
  workspace.file('a.txt', 'x'.repeat(size));
  const answer = await edit(workspace, 'x', newText, { replace_all: true });
  expect(answer).toMatchObject({ isError: true, text: message });
  expect(workspace.bytes('a.txt').equals(Buffer.alloc(size, 'x'))).toBe(true);
});
