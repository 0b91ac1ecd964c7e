import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findFiles } from './find-files.ts';

let dir = '';

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-find-')));
});

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), path.endsWith('.gitignore') ? 'dist/\n' : '');
  }
}

function find(part: string, { roots = ['root'], limit = 10, abortSignal = new AbortController().signal } = {}) {
  const options = { roots: roots.map((root) => join(dir, root)), homeDir: join(dir, 'root/home'), limit, abortSignal };
  return findFiles(part, options);
}

describe('finding files by a part of their path', () => {
  it('gives those that begin with it first, then those whose name does, then the others, whatever the case', async () => {
    write('root/lib/my-main.ts', 'root/lib/Main.ts', 'root/main/x.ts', 'root/other.ts');
    expect(await find('main')).toEqual(['main/x.ts', 'lib/Main.ts', 'lib/my-main.ts']);
    expect(await find('MAIN', { limit: 1 })).toEqual(['main/x.ts']);
    expect(await find('nothing')).toEqual([]);
  });

  it('leaves out what git ignores, the home directory, and what links lead to', async () => {
    write('root/.gitignore', 'root/dist/a.js', 'root/src/a.js', 'root/home/a.js', 'outside/a.js');
    symlinkSync(join(dir, 'outside'), join(dir, 'root/link'));
    expect(await find('a.js')).toEqual(['src/a.js']);
    expect(await find('../outside')).toEqual([]);
  });

  it('names the files of further roots by their whole path', async () => {
    write('root/a.js', 'second/a.js');
    expect(await find('a.js', { roots: ['root', 'second'] })).toEqual(['a.js', join(dir, 'second/a.js')]);
  });

  it('gives what it has when nobody waits any more', async () => {
    write(...Array.from({ length: 300 }, (_, index) => `root/${index}/a.js`));
    expect((await find('a.js', { abortSignal: AbortSignal.abort() })).length).toBeLessThanOrEqual(10);
  });
});
