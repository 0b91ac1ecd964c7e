import { readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from './fixtures/workspace.ts';
import { replaceFile } from './replace-file.ts';

function replacement(target: string) {
  return { target, content: Buffer.from('mine'), shown: 'a.txt', abortSignal: new AbortController().signal };
}

test('writes nothing when the file no longer holds what was read', async () => {
  const { root, file, bytes } = createWorkspace();
  const target = file('a.txt', 'theirs');
  const replacing = replaceFile({ ...replacement(target), expected: Buffer.from('read before') });
  await expect(replacing).rejects.toThrow('a.txt changed on disk while it was edited');
  expect(bytes('a.txt').toString()).toBe('theirs');
  rmSync(target);
  await expect(replaceFile({ ...replacement(target), expected: Buffer.from('x') })).rejects.toThrow('changed on disk');
  expect(readdirSync(root)).toEqual([]);
});

test('does not write through a link that was put in the way', async () => {
  const { root, file, bytes } = createWorkspace();
  file('other.txt', 'other');
  symlinkSync('other.txt', join(root, 'a.txt'));
  await expect(replaceFile(replacement(join(root, 'a.txt')))).rejects.toThrow('is a symbolic link');
  expect(bytes('other.txt').toString()).toBe('other');
});

test('leaves the file and no draft when the call is aborted before the last step', async () => {
  const { root, file, bytes } = createWorkspace();
  const target = file('a.txt', 'before');
  const abortSignal = AbortSignal.abort(new Error('cancelled'));
  await expect(replaceFile({ ...replacement(target), abortSignal })).rejects.toThrow('cancelled');
  expect(bytes('a.txt').toString()).toBe('before');
  expect(readdirSync(root)).toEqual(['a.txt']);
});

test('does not replace a file that another program made in the meantime', async () => {
  const { root, file, bytes } = createWorkspace();
  const target = file('a.txt', 'theirs');
  const replacing = replaceFile({ ...replacement(target), expected: 'absent' });
  await expect(replacing).rejects.toThrow('a.txt was made by another program in the meantime');
  expect(bytes('a.txt').toString()).toBe('theirs');
  expect(readdirSync(root)).toEqual(['a.txt']);
});

test('gives a new file the mode of the umask, one link, and leaves no draft', async () => {
  const { root, bytes } = createWorkspace();
  const target = join(root, 'deep/new.txt');
  await replaceFile({ ...replacement(target), expected: 'absent' });
  expect(bytes('deep/new.txt').toString()).toBe('mine');
  expect(statSync(target)).toMatchObject({ nlink: 1, mode: 0o100666 & ~process.umask() });
  expect(readdirSync(join(root, 'deep'))).toEqual(['new.txt']);
});
