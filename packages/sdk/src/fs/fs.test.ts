import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Files, openFiles } from './index.ts';

let root: string;
let second: string;
let files: Files;

beforeEach(() => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-fs-')));
  root = join(dir, 'root');
  second = join(dir, 'second');
  mkdirSync(root);
  mkdirSync(second);
  writeFileSync(join(dir, 'secret.txt'), 'secret');
  files = openFiles({ roots: [root, second], session: { readOnlyRoots: [second] } });
});

describe('the files of a call', () => {
  it('are read, written and extended in the first root', async () => {
    await files.writeTextFile('a.txt', 'one\n');
    await files.appendTextFile(join(root, 'a.txt'), 'two\n');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(await files.readTextFile('a.txt')).toBe('one\ntwo\n');
    await files.writeFile('b.bin', Uint8Array.of(0, 255));
    expect(await files.readFile('b.bin')).toEqual(Uint8Array.of(0, 255));
  });

  it('have sizes and times, and are listed by name', async () => {
    await files.mkdir('deep/down', { recursive: true });
    await files.writeTextFile('deep/b.txt', 'four');
    await files.writeTextFile('deep/a.txt', '');
    expect(await files.stat('deep/b.txt')).toMatchObject({ isFile: true, isDirectory: false, size: 4 });
    expect(await files.readDir('deep')).toEqual([
      { name: 'a.txt', isFile: true, isDirectory: false },
      { name: 'b.txt', isFile: true, isDirectory: false },
      { name: 'down', isFile: false, isDirectory: true },
    ]);
    expect([await files.exists('deep'), await files.exists('none'), await files.exists('deep/a.txt/x')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('are renamed and removed, directories only empty or recursively', async () => {
    await files.mkdir('full');
    await files.writeTextFile('x', '1');
    await files.rename('x', 'full/y');
    await expect(files.remove('full')).rejects.toThrow('cannot remove full: the directory is not empty');
    await files.remove('full', { recursive: true });
    expect(await files.exists('full')).toBe(false);
  });

  it.each([['../secret.txt'], ['/etc/hostname'], ['link.txt']])(
    'are refused outside of the roots, which are named: %s',
    async (path) => {
      symlinkSync('../secret.txt', join(root, 'link.txt'));
      const refused = `${path} is outside the directories that the session grants: ${root}, ${second}`;
      await expect(files.readTextFile(path)).rejects.toThrow(refused);
      await expect(files.appendTextFile(path, 'x')).rejects.toMatchObject({ code: 'outside-roots', message: refused });
    },
  );

  it('are not changed in a root that is read-only', async () => {
    writeFileSync(join(second, 'a.txt'), 'kept');
    expect(await files.readTextFile(join(second, 'a.txt'))).toBe('kept');
    await expect(files.writeTextFile(join(second, 'a.txt'), '')).rejects.toMatchObject({ code: 'read-only' });
    await expect(files.rename(join(second, 'a.txt'), 'a.txt')).rejects.toMatchObject({ code: 'read-only' });
    expect(readFileSync(join(second, 'a.txt'), 'utf8')).toBe('kept');
  });

  it('say what was wrong in words', async () => {
    await expect(files.readTextFile('none.txt')).rejects.toThrow('cannot read none.txt: it does not exist');
    await expect(files.readTextFile('.')).rejects.toThrow('cannot read .: it is a directory');
    await expect(openFiles({ roots: [] }).readTextFile('a')).rejects.toThrow('the session grants no directory');
  });
});
