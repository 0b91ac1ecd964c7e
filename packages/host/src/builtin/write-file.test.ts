import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSwapper } from './fixtures/swapper.ts';
import { createWorkspace } from './fixtures/workspace.ts';

const special = `it's $HOME & \`x\` $& \\n\r\n\u{1F600} no final newline`;

test('makes the folders and writes every byte, with a diff against nothing', async () => {
  const { bytes, call } = createWorkspace();
  const answer = await call('write', { file_path: 'deep/er/a.txt', content: special });
  const size = Buffer.byteLength(special);
  expect(answer.text).toBe(`Successfully wrote ${size} bytes to deep/er/a.txt`);
  expect(bytes('deep/er/a.txt').toString()).toBe(special);
  expect(answer.metadata).toMatchObject({ start_line: 1, old_lines: [], diff: /^--- a\/deep\/er\/a\.txt\n\+\+\+ b\// });
});

test('replaces a file whole, keeps its mode, and shows only the lines that differ', async () => {
  const { file, bytes, call } = createWorkspace();
  const path = file('a.sh', 'one\ntwo\nthree and much more\n');
  chmodSync(path, 0o755);
  const { metadata } = await call('write', { path: 'a.sh', content: 'one\nTWO\nthree and much more\n' });
  expect(bytes('a.sh').toString()).toBe('one\nTWO\nthree and much more\n');
  expect(statSync(path).mode & 0o777).toBe(0o755);
  expect(metadata).toMatchObject({ start_line: 2, old_lines: ['two'], new_lines: ['TWO'] });
});

test('has no diff when nothing differs, and none for what was no text', async () => {
  const { file, call } = createWorkspace();
  file('same.txt', 'same');
  file('a.bin', Buffer.from([0xff, 0xfe, 0]));
  expect((await call('write', { file_path: 'same.txt', content: 'same' })).metadata).not.toHaveProperty('diff');
  expect((await call('write', { file_path: 'a.bin', content: 'text' })).metadata).not.toHaveProperty('diff');
});

test('caps the diff at 200 lines and says truly how many are cut', async () => {
  const { call } = createWorkspace();
  const content = Array.from({ length: 1000 }, (_, index) => `${index}`).join('\n');
  const { metadata } = await call('write', { file_path: 'a.txt', content });
  const lines = String(metadata.diff).split('\n');
  // 3 lines of headers, 1000 added ones and the note about the missing final newline.
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe('... (804 more lines)');
  expect(metadata.new_lines).toHaveLength(200);
});

test('describes a large rewrite without a long search for the smallest diff', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', Array.from({ length: 60_000 }, (_, index) => `old ${index}`).join('\n'));
  const content = Array.from({ length: 60_000 }, (_, index) => `new ${index}`).join('\n');
  const { metadata } = await call('write', { file_path: 'a.txt', content });
  expect(String(metadata.diff)).toMatch(/^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,60000 \+1,60000 @@\n-old 0\n/);
  expect(String(metadata.diff)).toMatch(/\n\.\.\. \(119805 more lines\)$/);
});

test('cannot be made to forge diff lines by a line feed in the name', async () => {
  const { call } = createWorkspace();
  const { metadata } = await call('write', { file_path: 'a\n+++ b/other', content: 'x\n' });
  const name = String.raw`a\n+++ b/other`;
  expect(metadata.diff).toBe(`--- "a/${name}"\n+++ "b/${name}"\n@@ -0,0 +1,1 @@\n+x`);
});

test('refuses directories, named pipes, read-only files, half characters and the home directory', async () => {
  const { root, home, file, call } = createWorkspace();
  mkdirSync(join(root, 'folder'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  chmodSync(file('locked.txt', 'x'), 0o400);
  const write = (path: string, content = 'x') => call('write', { file_path: path, content });
  expect(await write('folder')).toMatchObject({ isError: true, text: /is a directory/ });
  expect(await write('pipe')).toMatchObject({ isError: true, text: /is a named pipe/ });
  expect(await write('locked.txt', 'y')).toMatchObject({ isError: true, text: /read-only/ });
  expect(await write('new.txt', '\ud83d')).toMatchObject({ isError: true, text: /half a character/ });
  expect(await write('locked.txt/new.txt')).toMatchObject({ isError: true, text: /a part of the path is a file/ });
  expect(
    await call('write', { file_path: join(home, 'config.json'), content: 'x' }, { roots: [root, home] }),
  ).toMatchObject({
    isError: true,
    text: /is refused/,
  });
  expect(readdirSync(root).sort()).toEqual(['folder', 'locked.txt', 'pipe']);
});

test('makes no file for the name of a folder, and no folder named ~', async () => {
  const { root, call, preview } = createWorkspace();
  const folder = { file_path: 'made/', content: 'x' };
  expect(await call('write', folder)).toMatchObject({ isError: true, text: /^made\/ names a folder: add the name/ });
  expect(await preview('write', folder)).toMatch(/would fail: made\/ names a folder/);
  for (const name of ['read', 'write', 'edit', 'grep']) {
    const input = { path: '~/notes.txt', content: 'x', pattern: 'x', old_string: 'x', new_string: 'y' };
    expect(await call(name, input)).toMatchObject({ isError: true, text: /~ is not replaced here/ });
  }
  expect(readdirSync(root)).toEqual([]);
  expect(await call('write', { file_path: './~/notes.txt', content: 'x' })).toMatchObject({ isError: false });
  expect(await call('write', { file_path: '~draft', content: 'x' })).toMatchObject({ isError: false });
});

test('writes nothing outside through links, also where folders would have to be made', async () => {
  const { dir, root, call } = createWorkspace();
  mkdirSync(join(dir, 'outside'));
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('../outside/new.txt', join(root, 'dangling'));
  for (const path of ['link/new.txt', 'link/deep/new.txt', 'dangling', '../outside/new.txt']) {
    expect((await call('write', { file_path: path, content: 'x' })).isError, path).toBe(true);
  }
  expect(readdirSync(join(dir, 'outside'))).toEqual([]);
});

test('never writes outside while a parent directory is swapped for a link', async () => {
  const { dir, root, call } = createWorkspace();
  const outside = join(dir, 'outside');
  mkdirSync(outside);
  const swapper = startSwapper(root, outside);
  for (let round = 0; round < 150 || swapper.swaps() <= 10; round++)
    await call('write', { file_path: `swap/${round}.txt`, content: 'x' });
  await swapper.stop();
  expect(readdirSync(outside)).toEqual([]);
});

test('keeps what another program wrote since the session read the file', async () => {
  const { file, bytes, call } = createWorkspace();
  const path = file('a.txt', 'one');
  await call('read', { file_path: 'a.txt' });
  writeFileSync(path, 'theirs');
  expect(await call('write', { file_path: 'a.txt', content: 'mine' })).toMatchObject({
    isError: true,
    text: /changed on disk/,
  });
  expect(bytes('a.txt').toString()).toBe('theirs');
  expect((await call('write', { file_path: 'a.txt', content: 'mine' }, { sessionId: 'other' })).isError).toBe(false);
});

test('refuses a file that outgrew what a diff takes since the session read it, until it is read again', async () => {
  const { file, call } = createWorkspace();
  const path = file('a.txt', 'one\n');
  await call('read', { file_path: 'a.txt' });
  writeFileSync(path, Buffer.alloc(64 * 1024 * 1024 + 1, `${'x'.repeat(999)}\n`));
  const write = () => call('write', { file_path: 'a.txt', content: 'new\n' });
  expect(await write()).toMatchObject({ isError: true, text: /changed on disk since it was read/ });
  expect(statSync(path).size).toBe(64 * 1024 * 1024 + 1);
  await call('read', { file_path: 'a.txt', limit: 1 });
  expect((await write()).isError).toBe(false);
});
