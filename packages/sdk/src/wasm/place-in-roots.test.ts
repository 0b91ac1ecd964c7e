import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeInRoots } from './place-in-roots.ts';

const ROOTS = ['/home/ann/work', '/home/ann/work/deep', '/srv/data'];

const step = fc.constantFrom('..', '.', '', 'home', 'ann', 'work', 'deep', 'srv', 'data', 'a', 'work2');
const anyPath = fc
  .tuple(fc.boolean(), fc.array(step, { minLength: 1, maxLength: 8 }))
  .map(([isAbsolute, steps]) => (isAbsolute ? '/' : '') + steps.join('/'));

function isInRoots(path: string): boolean {
  return ROOTS.some((root) => path === root || path.startsWith(`${root}/`));
}

describe('the place of a path', () => {
  it('is below a root exactly when the path is, and where the system would look', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const wanted = posix.resolve(ROOTS[0] ?? '', path);
        if (!isInRoots(wanted)) {
          expect(() => placeInRoots(ROOTS, path)).toThrow('outside the directories that the session grants');
          return;
        }
        const { root, relative, absolute } = placeInRoots(ROOTS, path);
        expect(absolute).toBe(wanted);
        expect(posix.join(root, relative)).toBe(relative === '.' ? root : wanted);
        expect(relative.split('/')).not.toContain('..');
      }),
      { numRuns: 2000 },
    );
  });

  it('is in the innermost of roots that lie in one another', () => {
    expect(placeInRoots(ROOTS, 'deep/a.txt')).toMatchObject({ root: '/home/ann/work/deep', relative: 'a.txt' });
    expect(placeInRoots(ROOTS, 'deep')).toMatchObject({ root: '/home/ann/work/deep', relative: '.' });
  });

  it('is anywhere when the root of the file system is granted', () => {
    expect(placeInRoots(['/'], '/etc/motd')).toEqual({ root: '/', relative: 'etc/motd', absolute: '/etc/motd' });
  });

  it('is nowhere without roots', () => {
    expect(() => placeInRoots([], 'a')).toThrow('a cannot be used: the session grants no directory');
  });

  it('is below a root by each of its spellings, and is told by the own name of the root', () => {
    const spellings = new Map([
      ['/tmp/link', '/home/ann/work'],
      ['/srv/data/in', '/home/ann/work/deep'],
    ]);
    const wanted = { root: '/home/ann/work', relative: 'a/b.txt', absolute: '/home/ann/work/a/b.txt' };
    expect(placeInRoots(ROOTS, '/tmp/link/a/b.txt', spellings)).toEqual(wanted);
    expect(placeInRoots(ROOTS, '/tmp/link', spellings)).toMatchObject({ relative: '.', absolute: '/home/ann/work' });
    // The innermost root holds, and a spelling within another root is the nearer name.
    expect(placeInRoots(ROOTS, '/tmp/link/deep/x', spellings)).toMatchObject({ root: '/home/ann/work/deep' });
    expect(placeInRoots(ROOTS, '/srv/data/in/x', spellings)).toMatchObject({ absolute: '/home/ann/work/deep/x' });
    expect(placeInRoots(ROOTS, '/srv/data/index', spellings)).toMatchObject({ absolute: '/srv/data/index' });
    for (const path of ['/tmp/link2/a', '/tmp/link/../a', '/tmp'])
      expect(() => placeInRoots(ROOTS, path, spellings)).toThrow('outside the directories that the session grants');
  });
});
