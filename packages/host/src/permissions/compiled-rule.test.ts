import type { Session } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPermissions, type PermissionOptions } from './decide.ts';
import { builtins, decide, decisionsOf, onPaths, ROOT, session } from './fixtures/decisions.ts';

describe('paths', () => {
  test('an allow rule holds inside the roots only, for every spelling of the path', async () => {
    const options = { allow: ['edit(src/**)'] };
    const inside = [
      'src/a.ts',
      './src/a.ts',
      'src//a.ts',
      'x/../src/a.ts',
      `${ROOT}/src/a.ts`,
      '/srv/data/src/b',
      'src/.hidden',
      'src/a\nb',
    ];
    expect(await onPaths(options, builtins.edit, inside)).toEqual(inside.map(() => 'allow'));
    const outside = [
      'src/../a.ts',
      '/src/a.ts',
      '../src/a.ts',
      '/etc/src/a',
      `${ROOT}-evil/src/a`,
      'SRC/a.ts',
      'lib/src/a.ts',
      `src/${'a/'.repeat(5000)}`,
    ];
    expect(await onPaths(options, builtins.edit, outside)).toEqual(outside.map(() => 'ask'));
    expect(await onPaths(options, builtins.edit, ['src/a.ts'], { realPaths: ['/etc/a.ts'] })).toEqual(['ask']);
  });

  test('a deny rule is not dodged by another spelling, a line feed, a link, or a path outside the roots', async () => {
    const options = {
      allow: ['read'],
      deny: ['read(**/.env)', 'read(secret/**)', 'read(~/.ssh/**)', 'read(/etc/**)', 'read(caf\u00e9/**)'],
    };
    const denied = [
      '.env',
      './x/../.env',
      `${ROOT}/.env`,
      'a/b/.env',
      'a\nb/.env',
      '/tmp/.env',
      'secret/x',
      './secret//x',
      'x/../secret/y',
      '/srv/data/secret/x',
      '/home/ann/.ssh/id_rsa',
      '../../ann/.ssh/k',
      '/etc/passwd',
      'cafe\u0301/menu',
    ];
    expect(await onPaths(options, builtins.read, denied)).toEqual(denied.map(() => 'deny'));
    expect(await onPaths(options, builtins.read, ['link'], { realPaths: [`${ROOT}/secret/x`] })).toEqual(['deny']);
    expect(await onPaths(options, builtins.read, ['env', 'secrets/x', '.env.local'])).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    expect(await decisionsOf(options, builtins.read, [{ path: '.env' }])).toEqual(['deny']);
  });

  test('a path that no file system takes is denied where a pattern could not be checked on it', async () => {
    expect(
      await onPaths({ allow: ['read'], deny: ['read(**/.env)'] }, builtins.read, [`${'a/'.repeat(500_000)}.env`]),
    ).toEqual(['deny']);
  });

  test('case is folded where the file system folds it', async () => {
    const options = { allow: ['read'], deny: ['read(**/.env)', 'read(secret/**)'] };
    expect(await onPaths({ ...options, platform: 'darwin' }, builtins.read, ['.ENV', 'Secret/x'])).toEqual([
      'deny',
      'deny',
    ]);
    expect(await onPaths({ ...options, platform: 'linux' }, builtins.read, ['.ENV', 'Secret/x'])).toEqual([
      'allow',
      'allow',
    ]);
  });

  test('Windows paths are compared with / between the names', async () => {
    const windows: Session = { ...session, roots: ['C:\\Users\\Ann\\project'] };
    const permissions = await createPermissions({
      platform: 'win32',
      allow: ['edit(src/**)'],
      deny: ['edit(**/.env)'],
    });
    const of = (file_path: string) => decide(permissions, builtins.edit, { file_path }, { session: windows }).decision;
    expect(['src\\a.ts', 'c:/users/ann/project/src/a.ts', 'src\\..\\x', 'x\\.ENV'].map(of)).toEqual([
      'allow',
      'allow',
      'ask',
      'deny',
    ]);
  });

  test('all spellings of a path are decided alike', async () => {
    const permissions = await createPermissions({
      platform: 'linux',
      allow: ['edit(src/**)', 'edit(*.md)'],
      deny: ['edit(**/.env)', 'edit(src/gen/**)'],
    });
    const name = fc.constantFrom('src', 'gen', '.env', 'a.md', 'x');
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom('.', 'y/..', ''), { maxLength: 5 }),
        fc.boolean(),
        (names, noise, absolute) => {
          const plain = names.join('/');
          const noisy = [
            ...names.flatMap((part, index) => (noise[index] === undefined ? [part] : [noise[index], part])),
          ]
            .filter((part) => part !== '')
            .join('//');
          const variant = absolute ? `${ROOT}/${noisy}` : `./${noisy}/`;
          expect(decide(permissions, builtins.edit, { file_path: variant }).decision).toBe(
            decide(permissions, builtins.edit, { file_path: plain }).decision,
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a root that is given by a link is one place, by whichever spelling a rule and a path name it', async () => {
    const LINK = '/home/ann/link';
    const linked = { session: { ...session, rootSpellings: [{ root: ROOT, spelling: LINK }] } };
    const at = async (options: PermissionOptions, file_path: string) =>
      (await decisionsOf(options, builtins.edit, [{ file_path }], { ...linked, realPaths: [`${ROOT}/src/a.ts`] }))[0];
    for (const rule of ['edit(src/**)', `edit(${ROOT}/src/**)`, `edit(${LINK}/src/**)`])
      for (const path of ['src/a.ts', `${ROOT}/src/a.ts`, `${LINK}/src/a.ts`, '/tmp/other-link/a.ts']) {
        expect(await at({ allow: [rule] }, path)).toBe('allow');
        expect(await at({ allow: ['edit'], deny: [rule] }, path)).toBe('deny');
      }
    // What the link names is not where it leads any more.
    const moved = { ...linked, realPaths: ['/etc/a.ts'] };
    expect(
      await onPaths({ allow: ['edit(src/**)', `edit(${LINK}/**)`] }, builtins.edit, [`${LINK}/src/a.ts`], moved),
    ).toEqual(['ask']);
  });
});
