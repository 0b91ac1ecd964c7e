import { readdirSync, rmSync, symlinkSync } from 'node:fs';
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
