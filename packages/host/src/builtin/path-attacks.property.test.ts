import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startSwapper } from './fixtures/swapper.ts';
import { createWorkspace } from './fixtures/workspace.ts';

const ATTACKS = Number(process.env.TOOLPOST_ATTACKS ?? 1000);
const SECRET = 'kept-outside';

/** Every way out that a name can be: links of all kinds, siblings that begin alike, other spellings of a name. */
function createTrap() {
  const workspace = createWorkspace();
  const { dir, root, home, file } = workspace;
  for (const folder of ['outside/only-outside', 'root-evil', 'ROOT']) mkdirSync(join(dir, folder), { recursive: true });
  for (const place of [
    'outside/a.txt',
    'outside/only-outside/a.txt',
    'outside/secret.txt',
    'root-evil/a.txt',
    'ROOT/a.txt',
  ])
    writeFileSync(join(dir, place), SECRET);
  for (const name of ['config.json', 'only-outside.json']) writeFileSync(join(home, name), SECRET);
  for (const place of ['a.txt', 'sub/a.txt', 'Sub/a.txt', 'caf\u00e9/a.txt', 'cafe\u0301.txt', '..a.txt'])
    file(place, 'inside');
  const links: Record<string, string> = {
    up: '..',
    'sub/abs': join(dir, 'outside'),
    'sub/dangle': '../../outside/new.txt',
    hop: 'up/root/sub/abs',
    evil: `${root}-evil`,
    'secret.txt': '../outside/secret.txt',
    chain: 'secret.txt',
    circle: 'circle',
    home,
    proc: '/proc/self/cwd',
    fine: 'sub',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  // The swapper makes a directory `swap` that is a link to the outside every other moment.
  mkdirSync(join(root, 'swap'));
  writeFileSync(join(root, 'swap/a.txt'), 'inside');
  return workspace;
}

const NAMES = [
  ...[
    '..',
    '.',
    '',
    'root',
    'ROOT',
    'root-evil',
    'outside',
    'deep',
    'sub',
    'Sub',
    'SUB',
    'a.txt',
    'A.TXT',
    'secret.txt',
  ],
  ...['new', 'up', 'abs', 'dangle', 'hop', 'evil', 'chain', 'circle', 'home', 'config.json', 'proc', 'fine', '..a.txt'],
  ...['swap', 'swap', 'swap', 'hook', 'caf\u00e9', 'cafe\u0301', 'cafe\u0301.txt', '...', '~', '%2e%2e', '..\\outside'],
];

test(`no tool reads, lists or changes anything outside, whatever the path (${ATTACKS} random attacks during swaps)`, async () => {
  const { dir, root, call } = createTrap();
  const outside = join(dir, 'outside');
  const copy = join(dir, 'copy');
  for (const name of ['outside', 'root-evil', 'ROOT', 'home'])
    cpSync(join(dir, name), join(copy, name), { recursive: true });
  const path = fc
    .tuple(
      fc.constantFrom('', '/', `${root}/`, `${dir}/`, './', 'swap/', `${root}/swap/`),
      fc.array(fc.constantFrom(...NAMES), { maxLength: 5 }),
    )
    .map(([start, parts]) => start + parts.join('/'));
  const attack = fc.record({ tool: fc.constantFrom('read', 'write', 'edit', 'glob', 'grep'), path });
  const swapper = startSwapper(root, outside);
  const answered: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(attack, async ({ tool, path }) => {
      const input = {
        read: { file_path: path },
        write: { file_path: path, content: 'written' },
        edit: { file_path: path, old_string: 'e', new_string: 'E', replace_all: true },
        glob: { pattern: '**', path: path || '.' },
        grep: { pattern: `inside|written|${SECRET}`, path: path || '.' },
      }[tool];
      const { text, isError } = await call(tool, input);
      // What finds nothing repeats the pattern, which has the secret in it.
      expect(text.replace(/^No matches for .*/, '')).not.toContain(SECRET);
      // What is refused names the path that was asked for.
      if (!isError) expect(text).not.toContain('only-outside');
      if (!isError) answered[tool] = (answered[tool] ?? 0) + 1;
    }),
    { numRuns: ATTACKS },
  );
  await swapper.stop();
  expect(swapper.swaps()).toBeGreaterThan(10);
  expect(Object.keys(answered).sort()).toEqual(['edit', 'glob', 'grep', 'read', 'write']);
  for (const name of ['outside', 'root-evil', 'ROOT', 'home']) {
    expect(execFileSync('diff', ['-r', join(copy, name), join(dir, name)]).toString()).toBe('');
  }
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(SECRET);
}, 300_000);
