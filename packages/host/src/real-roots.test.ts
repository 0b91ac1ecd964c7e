import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { readRoots, realRoots } from './real-roots.ts';

let dir: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-real-roots-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'real/sub'), { recursive: true });
  symlinkSync('real', join(dir, 'link'));
});

test('roots are their real paths, each once, with the paths by which they were given', () => {
  const [real, link] = [join(dir, 'real'), join(dir, 'link')];
  expect(readRoots([link, real, join(link, 'sub')], '/')).toEqual({
    roots: [real, join(real, 'sub')],
    rootSpellings: [
      { root: real, spelling: link },
      { root: join(real, 'sub'), spelling: join(link, 'sub') },
    ],
  });
  expect(readRoots([real], '/')).toEqual({ roots: [real], rootSpellings: [] });
  expect(realRoots([link], '/')).toEqual([real]);
});

test('a relative root is called as the shell shows it, where that leads to the same directory', () => {
  const [real, link] = [join(dir, 'real'), join(dir, 'link')];
  vi.stubEnv('PWD', link);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(readRoots(['.', 'sub'], real).rootSpellings).toEqual([
    { root: real, spelling: link },
    { root: join(real, 'sub'), spelling: join(link, 'sub') },
  ]);
  // The parent of a link is not that of the directory.
  expect(readRoots(['..'], join(real, 'sub')).rootSpellings).toEqual([]);
  vi.stubEnv('PWD', tmpdir());
  expect(readRoots(['.'], real).rootSpellings).toEqual([]);
});
