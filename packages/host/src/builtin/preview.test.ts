import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';

test('of edit is the diff that the call then makes, and changes nothing', async () => {
  const { root, file, bytes, call, preview } = createWorkspace();
  const path = file('a.txt', 'one\r\ntwo\r\nthree\r\n');
  const before = statSync(path, { bigint: true });
  const input = { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' };
  const shown = await preview('edit', input);
  expect(shown).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\r\n-two\r\n+TWO\r\n three\r');
  expect(bytes('a.txt').toString()).toBe('one\r\ntwo\r\nthree\r\n');
  expect(statSync(path, { bigint: true })).toMatchObject({ ino: before.ino, mtimeNs: before.mtimeNs });
  expect(readdirSync(root)).toEqual(['a.txt']);
  expect((await call('edit', input)).metadata.diff).toBe(shown);
});

test('of write is the diff against what is there, or against nothing; no folder is made', async () => {
  const { root, file, call, preview } = createWorkspace();
  file('a.txt', 'one\ntwo\n');
  const input = { file_path: 'a.txt', content: 'one\n2\n' };
  const shown = await preview('write', input);
  expect(shown).toBe('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2');
  expect(await preview('write', { file_path: 'new/b.txt', content: 'x\n' })).toBe(
    '--- a/new/b.txt\n+++ b/new/b.txt\n@@ -0,0 +1,1 @@\n+x',
  );
  expect(readdirSync(root)).toEqual(['a.txt']);
  expect((await call('write', input)).metadata.diff).toBe(shown);
});

test('of write says what no diff can show', async () => {
  const { file, preview } = createWorkspace();
  file('a.bin', Buffer.from([0xff, 0xfe, 0]));
  file('same.txt', 'same');
  expect(await preview('write', { file_path: 'a.bin', content: 'x\n' })).toMatch(
    /^All that a\.bin holds now, .*, would be replaced\.\n--- a\/a\.bin.*\n\+x$/s,
  );
  expect(await preview('write', { file_path: 'same.txt', content: 'same' })).toMatch(/already holds exactly/);
  expect(await preview('write', { file_path: 'empty.txt', content: '' })).toBe('empty.txt would be empty');
});

test('of bash is the command as it is, and runs nothing', async () => {
  const { root, preview } = createWorkspace();
  const command = `touch made; echo "it's $HOME"`;
  expect(await preview('bash', { command })).toBe(command);
  expect(readdirSync(root)).toEqual([]);
});

test('says why a call would fail, with the words of the call', async () => {
  const { dir, file, call, preview } = createWorkspace();
  const path = file('a.txt', 'one\none\n');
  const inputs = [
    ['edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }],
    ['edit', { file_path: join(dir, 'x'), old_string: 'one', new_string: '1' }],
    ['write', { file_path: '../x', content: '' }],
    ['bash', { command: 'a\0' }],
  ] as const;
  for (const [tool, input] of inputs) {
    const { text, isError } = await call(tool, input);
    expect(isError).toBe(true);
    expect(await preview(tool, input)).toBe(`This call would fail: ${text}`);
  }
  await call('read', { file_path: 'a.txt' });
  writeFileSync(path, 'theirs');
  expect(await preview('write', { file_path: 'a.txt', content: 'x' })).toMatch(/would fail: a\.txt changed on disk/);
});

test('a reading tool has none', async () => {
  const { preview } = createWorkspace();
  expect(await preview('read', { file_path: 'a.txt' })).toBeUndefined();
});
