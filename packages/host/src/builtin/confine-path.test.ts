import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { isInside, resolveInRoots } from './confine-path.ts';

/** root, outside, and root-evil, whose name begins like the root's. */
function createTree() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-confine-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const root = join(dir, 'root');
  const outside = join(dir, 'outside');
  for (const folder of [root, outside, `${root}-evil`, join(root, 'sub')]) mkdirSync(folder);
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(`${root}-evil`, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'sub/a.txt'), 'inside');
  return { dir, root, outside };
}

test('starts relative paths in the first root and accepts absolute ones in every root', async () => {
  const { root, outside } = createTree();
  expect(await resolveInRoots([root, outside], 'sub/a.txt')).toEqual({
    path: join(root, 'sub/a.txt'),
    exists: true,
    root,
  });
  const second = await resolveInRoots([root, outside], join(outside, 'secret.txt'));
  expect(second).toEqual({ path: join(outside, 'secret.txt'), exists: true, root: outside });
});

test.each([
  ['a parent path', () => '../outside/secret.txt'],
  ['an absolute path', ({ outside }: { outside: string }) => join(outside, 'secret.txt')],
  ['a sibling whose name begins like the root', ({ root }: { root: string }) => `${root}-evil/secret.txt`],
  ['a missing file in such a sibling', ({ root }: { root: string }) => `${root}-evil/new/file.txt`],
  ['the parent of the root', () => '..'],
  ['the file system root', () => '/'],
])('refuses %s and names the path and the roots', async (_, pathOf) => {
  const tree = createTree();
  const path = pathOf(tree);
  const refused = resolveInRoots([tree.root], path, { forWrite: true });
  await expect(refused).rejects.toThrow(path);
  await expect(refused).rejects.toThrow(tree.root);
});

test('refuses what links lead out to: existing, dangling, chained, below, and not there yet', async () => {
  const { root, outside } = createTree();
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync(join(outside, 'secret.txt'), join(root, 'file'));
  symlinkSync('../outside/new.txt', join(root, 'dangling'));
  symlinkSync('dangling', join(root, 'chain'));
  for (const path of ['folder', 'folder/secret.txt', 'file', 'dangling', 'chain', 'folder/deep/new.txt']) {
    await expect(resolveInRoots([root], path, { forWrite: true }), path).rejects.toThrow(/is refused: it is outside/);
  }
});

test('follows links that stay inside, also to what does not exist yet', async () => {
  const { root } = createTree();
  symlinkSync('sub', join(root, 'link'));
  symlinkSync('sub/new.txt', join(root, 'dangling'));
  expect((await resolveInRoots([root], 'link/a.txt')).path).toBe(join(root, 'sub/a.txt'));
  expect(await resolveInRoots([root], 'dangling')).toEqual({ path: join(root, 'sub/new.txt'), exists: false, root });
  expect(await resolveInRoots([root], 'x/y/z.txt')).toEqual({ path: join(root, 'x/y/z.txt'), exists: false, root });
});

test('takes names with two dots at their start for what they are', async () => {
  const { root } = createTree();
  writeFileSync(join(root, '..a.txt'), 'inside');
  expect((await resolveInRoots([root], '..a.txt')).path).toBe(join(root, '..a.txt'));
  expect((await resolveInRoots([root], '...')).path).toBe(join(root, '...'));
});

test('accepts a root that is itself reached through a link', async () => {
  const { dir, root } = createTree();
  symlinkSync('root', join(dir, 'alias'));
  const alias = join(dir, 'alias');
  expect((await resolveInRoots([alias], join(alias, 'sub/a.txt'))).path).toBe(join(root, 'sub/a.txt'));
  expect((await resolveInRoots([alias], join(root, 'sub/a.txt'))).path).toBe(join(root, 'sub/a.txt'));
});

test('names what is wrong with a NUL, a circle of links, a file used as a directory, and a session without roots', async () => {
  const { root } = createTree();
  symlinkSync('two', join(root, 'one'));
  symlinkSync('one', join(root, 'two'));
  await expect(resolveInRoots([root], 'a\0b')).rejects.toThrow('a path cannot hold a NUL');
  await expect(resolveInRoots([root], 'one')).rejects.toThrow('lead in a circle');
  await expect(resolveInRoots([root], 'sub/a.txt/b')).rejects.toThrow('a part of the path is a file');
  await expect(resolveInRoots([], 'a')).rejects.toThrow('grants no directory');
});

test('finds a file under the other Unicode normal form of its name, and makes no twin', async () => {
  const { root } = createTree();
  const [nfc, nfd] = ['caf\u00e9.txt', 'cafe\u0301.txt'];
  writeFileSync(join(root, nfd), 'decomposed');
  expect(await resolveInRoots([root], nfc, { forWrite: true })).toEqual({ path: join(root, nfd), exists: true, root });
  writeFileSync(join(root, nfc), 'composed');
  expect((await resolveInRoots([root], nfc)).path).toBe(join(root, nfc));
  expect((await resolveInRoots([root], nfd)).path).toBe(join(root, nfd));
  mkdirSync(join(root, 'e\u0301'));
  writeFileSync(join(root, 'e\u0301/b.txt'), 'below');
  expect((await resolveInRoots([root], '\u00e9/b.txt')).exists).toBe(true);
});

test('keeps the home directory out of reach inside a root, but for reading the session output files', async () => {
  const { root } = createTree();
  const homeDir = join(root, 'home');
  mkdirSync(join(homeDir, 'cache/outputs/mine'), { recursive: true });
  mkdirSync(join(homeDir, 'cache/outputs/other'));
  symlinkSync(homeDir, join(root, 'alias'));
  symlinkSync('../../../config.json', join(homeDir, 'cache/outputs/mine/link'));
  const session = { homeDir, session: { tenant: '', id: 'mine' } };
  const own = join(homeDir, 'cache/outputs/mine/1.txt');
  expect((await resolveInRoots([root], own, session)).path).toBe(own);
  await expect(resolveInRoots([root], own, { ...session, forWrite: true })).rejects.toThrow('is refused');
  for (const path of ['home', 'alias/config.json', 'home/cache/outputs/other/1.txt', 'home/cache/outputs/mine/link']) {
    await expect(resolveInRoots([root], path, session), path).rejects.toThrow('is refused');
  }
  const traversal = { homeDir, session: { tenant: '', id: '../..' } };
  await expect(resolveInRoots([root], join(homeDir, 'config.json'), traversal)).rejects.toThrow('is refused');
});

test('never leaves the roots, whatever the path and the links (1,000 random attacks)', async () => {
  const { dir, root } = createTree();
  const names = [
    '..',
    '.',
    '',
    'root',
    'root-evil',
    'outside',
    'sub',
    'secret.txt',
    'new',
    'up',
    'abs',
    'dangle',
    'hop',
    'evil',
  ];
  symlinkSync('..', join(root, 'up'));
  symlinkSync(join(dir, 'outside'), join(root, 'sub/abs'));
  symlinkSync('../../outside/none', join(root, 'sub/dangle'));
  symlinkSync('up/root/sub/abs', join(root, 'hop'));
  symlinkSync(`${root}-evil`, join(root, 'evil'));
  const path = fc.tuple(
    fc.constantFrom('', '/', `${root}/`, `${dir}/`, './'),
    fc.array(fc.constantFrom(...names), { maxLength: 7 }),
  );
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(path, async ([start, parts]) => {
      const place = await resolveInRoots([root], start + parts.join('/'), { forWrite: true }).catch(() => undefined);
      if (place === undefined) return;
      granted++;
      expect(isInside(root, place.path)).toBe(true);
      if (place.exists) expect(realpathSync(place.path)).toBe(place.path);
    }),
    { numRuns: 1000 },
  );
  expect(granted).toBeGreaterThan(50);
});

test('changes nothing in a read-only root, also through a link, and reads there; the inner of two roots counts', async () => {
  const { root, outside } = createTree();
  symlinkSync(outside, join(root, 'link'));
  const write = (path: string, readOnlyRoots: string[], roots = [root, outside]) =>
    resolveInRoots(roots, path, { forWrite: true, readOnlyRoots });
  const secret = join(outside, 'secret.txt');
  for (const path of [secret, join(root, 'link/secret.txt'), join(root, 'link/new.txt'), outside])
    await expect(write(path, [outside]), path).rejects.toThrow(/may only read/);
  expect((await write('sub/new.txt', [outside])).root).toBe(root);
  expect((await resolveInRoots([root, outside], secret, { readOnlyRoots: [outside] })).path).toBe(secret);
  const sub = join(root, 'sub');
  expect((await write(join(sub, 'b.txt'), [root], [root, sub])).exists).toBe(false);
  await expect(write(join(sub, 'b.txt'), [sub], [root, sub])).rejects.toThrow(/may only read/);
});
