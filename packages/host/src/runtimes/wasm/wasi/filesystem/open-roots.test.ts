import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readText, writeText } from '../fixtures/deeds.ts';
import { openGuestFiles, refusalOf } from '../fixtures/guest-files.ts';
import { holdByDescriptor } from './hold-by-descriptor.ts';
import { holdByPath } from './hold-by-path.ts';

let dir: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-roots-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

function makeRoot(name: string): { path: string; isReadOnly: boolean } {
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, 'name.txt'), name);
  return { path: join(dir, name), isReadOnly: false };
}

test('each of five roots is preopened at its own path, the first also as .', () => {
  const grants = ['one', 'two', 'three', 'four', 'five'].map(makeRoot);
  const { preopens, at, filesystem } = openGuestFiles(grants);
  expect(preopens.map(([, path]) => path)).toEqual([...grants.map(({ path }) => path), '.']);
  expect(preopens.map(([root]) => readText(root, 'name.txt'))).toEqual(['one', 'two', 'three', 'four', 'five', 'one']);
  expect(at('.').isSameObject(at(join(dir, 'one')))).toBe(true);
  expect(filesystem.problems).toEqual([]);
});

test.each([
  ['descriptors', holdByDescriptor],
  ['paths', holdByPath],
])('a root is there by each of its spellings, for guests and for links inside it, held by %s', (_, hold) => {
  const grant = makeRoot('real');
  const link = join(dir, 'link');
  symlinkSync('real', link);
  symlinkSync(join(link, 'name.txt'), join(grant.path, 'by-link'));
  symlinkSync(join(dir, 'link2/name.txt'), join(grant.path, 'by-another'));
  const { preopens, at } = openGuestFiles([{ ...grant, spellings: [link] }, makeRoot('other')], { hold });
  expect(preopens.map(([, path]) => path)).toEqual([grant.path, link, join(dir, 'other'), '.']);
  expect(at(link).isSameObject(at(grant.path))).toBe(true);
  expect(readText(at(link), 'name.txt')).toBe('real');
  expect(readText(at(grant.path), 'by-link')).toBe('real');
  expect(refusalOf(() => readText(at(grant.path), 'by-another'))).toBe('not-permitted');
  // A spelling is a name: where its link leads later changes nothing.
  rmSync(link);
  symlinkSync('other', link);
  expect(readText(at(link), 'name.txt')).toBe('real');
  expect(readText(at(grant.path), 'by-link')).toBe('real');
});

test('a root that is missing or no directory is a problem by its name, and the others are opened', () => {
  writeFileSync(join(dir, 'file'), '');
  const wrong = ['missing', 'file'].map((name) => ({ path: join(dir, name), isReadOnly: false }));
  const { preopens, filesystem } = openGuestFiles([...wrong, makeRoot('good')]);
  expect(filesystem.problems).toEqual([
    `the root ${dir}/missing does not exist`,
    `the root ${dir}/file is not a directory`,
  ]);
  // The session's first root is gone: relative paths must not start in another one.
  expect(preopens.map(([, path]) => path)).toEqual([join(dir, 'good')]);
});

test('a root that is a link is a problem, and what it points to is a root by its real path', () => {
  const { path } = makeRoot('real');
  symlinkSync(path, join(dir, 'link'));
  const { filesystem } = openGuestFiles([{ path: join(dir, 'link'), isReadOnly: false }]);
  expect(filesystem.problems).toEqual([`the root ${dir}/link is a symbolic link: its real path has to be given`]);
  const real = realpathSync(join(dir, 'link'));
  expect(readText(openGuestFiles([{ path: real, isReadOnly: false }]).at(real), 'name.txt')).toBe('real');
});

test('a root below a link that was put there since is a problem', () => {
  makeRoot('parent');
  mkdirSync(join(dir, 'parent/root'));
  mkdirSync(join(dir, 'elsewhere'));
  mkdirSync(join(dir, 'elsewhere/root'));
  renameSync(join(dir, 'parent'), join(dir, 'old'));
  symlinkSync('elsewhere', join(dir, 'parent'));
  const { filesystem } = openGuestFiles([{ path: join(dir, 'parent/root'), isReadOnly: false }]);
  expect(filesystem.problems).toEqual([
    `the root ${dir}/parent/root is not at its real path any more: it or a parent was replaced by a link`,
  ]);
});

test.each([
  ['descriptors', holdByDescriptor],
  ['paths', holdByPath],
])('a root that is removed while the guest runs fails call by call, held by %s', (_, hold) => {
  const grant = makeRoot('short-lived');
  const { at, filesystem } = openGuestFiles([grant], { hold });
  const root = at(grant.path);
  rmSync(grant.path, { recursive: true });
  expect(refusalOf(() => readText(root, 'name.txt'))).toBe('no-entry');
  expect(refusalOf(() => writeText(root, 'new.txt', ''))).toBe('no-entry');
  for (const [again] of filesystem.interfaces['wasi:filesystem/preopens'].getDirectories())
    expect(refusalOf(() => writeText(again, 'new.txt', ''))).toBe('no-entry');
});

// Root may read everything: then another user tries.
test('a root without read permission is a problem', () => {
  const { path } = makeRoot('unreadable');
  chmodSync(dir, 0o755);
  chmodSync(path, 0o000);
  const script = `
    const { openRoots } = await import(process.argv[1]);
    console.log(openRoots([{ path: process.argv[2], isReadOnly: false }], {}).problems.join());`;
  const module = fileURLToPath(new URL('open-roots.ts', import.meta.url));
  const isRoot = process.getuid?.() === 0;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script, module, path], {
    encoding: 'utf8',
    env: {},
    ...(isRoot && { uid: 65534, gid: 65534 }),
  });
  expect(said).toBe(`the root ${path} cannot be read: check its permissions\n`);
});
