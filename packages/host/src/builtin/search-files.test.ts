import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from './fixtures/workspace.ts';
import { walkFiles } from './walk-files.ts';

/** A small repository with ignored folders, links out, a binary and the home directory inside the root. */
function createRepository(options: Parameters<typeof createWorkspace>[0] = {}): Workspace {
  const workspace = createWorkspace(options);
  const { dir, root, file } = workspace;
  file('.gitignore', '# made\nnode_modules\n*.log\n!keep.log\n/dist/\n');
  file('src/.gitignore', 'local.ts\n');
  file('src/main.ts', 'export const Needle = 1;\nsecond\nthird\n');
  file('src/local.ts', 'Needle');
  file('src/deep/part.tsx', 'first\r\nneedle here\r\nlast\r\n');
  file('src-lib.ts', 'no match\n');
  file('node_modules/lib/index.ts', 'Needle');
  file('dist/out.ts', 'Needle');
  file('lib/dist/in.ts', 'needle');
  file('debug.log', 'needle');
  file('keep.log', 'needle');
  file('.git/config.ts', 'needle');
  file('.github/flow.ts', 'needle');
  file('image.bin', Buffer.from('needle\0\xff', 'latin1'));
  mkdirSync(join(dir, 'outside'));
  writeFileSync(join(dir, 'outside/secret.ts'), 'needle secret');
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('../outside/secret.ts', join(root, 'link.ts'));
  return workspace;
}

test('glob lists sorted paths without what git ignores, links, and .git', async () => {
  const { call } = createRepository();
  const { text, metadata } = await call('glob', { pattern: '**/*.{ts,tsx}' });
  expect(text.split('\n')).toEqual([
    '.github/flow.ts',
    'lib/dist/in.ts',
    'src-lib.ts',
    'src/deep/part.tsx',
    'src/main.ts',
  ]);
  expect(metadata).toEqual({ count: 5 });
});

test('glob starts where the pattern or path says, also in an ignored folder', async () => {
  const { root, call } = createRepository();
  expect((await call('glob', { pattern: '*.ts' })).text).toBe('src-lib.ts');
  expect((await call('glob', { pattern: '*.ts', path: 'src' })).text).toBe('src/main.ts');
  expect((await call('glob', { pattern: `${root}/src/*.ts` })).text).toBe('src/main.ts');
  expect((await call('glob', { pattern: 'src/main.ts' })).text).toBe('src/main.ts');
  expect((await call('glob', { pattern: 'node_modules/**' })).text).toBe('node_modules/lib/index.ts');
  expect((await call('glob', { pattern: 'none/**' })).text).toBe('No files match none/**');
});

test('glob and grep take a folder with a slash at its end for all that is below it', async () => {
  const { call } = createRepository();
  expect((await call('glob', { pattern: 'src/' })).text).toBe('src/.gitignore\nsrc/deep/part.tsx\nsrc/main.ts');
  expect((await call('glob', { pattern: './' })).text).toBe((await call('glob', { pattern: '**' })).text);
  expect(await call('glob', { pattern: 'src/main.ts/' })).toMatchObject({ isError: true, text: /is a file/ });
  const { text } = await call('grep', { pattern: '[nN]eedle', glob: 'src/' });
  expect(text.split('\n')).toEqual(['src/deep/part.tsx:2:needle here', 'src/main.ts:1:export const Needle = 1;']);
  expect((await call('grep', { pattern: 'second', glob: '' })).text).toBe('src/main.ts:2:second');
});

test('parentheses and escaped brackets in a glob are characters of a name', async () => {
  const { file, call } = createWorkspace();
  file('app/(shop)/[id]/page.tsx', 'hit');
  file('app/shop/page.tsx', 'hit');
  file('app/copy(1).tsx', 'hit');
  const found = async (pattern: string) => (await call('glob', { pattern })).text;
  expect(await found('app/(shop)/**')).toBe('app/(shop)/[id]/page.tsx');
  expect(await found('**/(shop)/**/*.tsx')).toBe('app/(shop)/[id]/page.tsx');
  expect(await found('app/(shop)/\\[id\\]/*')).toBe('app/(shop)/[id]/page.tsx');
  expect(await found('app/copy(1).*')).toBe('app/copy(1).tsx');
  expect(await found('app/@(shop|none)/*')).toBe('app/shop/page.tsx');
  expect((await call('grep', { pattern: 'hit', glob: 'app/(shop)/**' })).metadata).toMatchObject({ files: 1 });
});

test('a name with control characters is found and quoted: it forges no line of a result', async () => {
  const { file, call } = createWorkspace();
  file('x\nadmin.ts:1:forged', 'hit');
  file('\u001b[2Jx', 'hit');
  const quoted = ['"\\u001b[2Jx"', '"x\\nadmin.ts:1:forged"'];
  expect((await call('glob', { pattern: '**' })).text.split('\n')).toEqual(quoted);
  const { text } = await call('grep', { pattern: 'hit' });
  expect(text.split('\n')).toEqual(quoted.map((name) => `${name}:1:hit`));
});

test.runIf(process.platform === 'linux')('glob and grep say that a folder could not be read', async () => {
  const { root, file, call } = createWorkspace();
  file('a.txt', 'hit');
  // No text spells this name, so that nothing can be opened by it; to root, no mode forbids anything.
  mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]));
  expect((await call('glob', { pattern: '**' })).text).toBe('a.txt\n(1 folder could not be read)');
  expect((await call('glob', { pattern: '*.md' })).text).toBe('No files match *.md\n(1 folder could not be read)');
  expect((await call('grep', { pattern: 'hit' })).text).toBe('a.txt:1:hit\n(1 folder could not be read)');
  expect((await call('grep', { pattern: '(none)' })).text).toBe('No matches for (none)\n(1 folder could not be read)');
});

test('what rules deny or ask about is left out of a search and counted', async () => {
  const { root, file, call } = createWorkspace({
    withheld: (tool) => [{ pattern: 'secret/**', isOwn: true }, ...(tool === 'grep' ? [READ_RULE] : [])],
  });
  for (const name of ['a.txt', 'secret/b.txt', 'secret/deep/c.txt', 'contracts/d.txt']) file(name, 'hit\n');
  const patterns = ['hit', '(h)it+'];
  for (const pattern of patterns) {
    expect((await call('grep', { pattern })).text).toBe(`a.txt:1:hit\n${leftOut('3 files')}`);
    expect((await call('grep', { pattern, glob: 'secret/**' })).text).toBe(
      `No matches for ${pattern}\n${leftOut('2 files')}`,
    );
  }
  expect((await call('glob', { pattern: '**' })).text).toBe(`a.txt\ncontracts/d.txt\n${leftOut('2 files')}`);
  // A rule of grep itself was decided before the call; one of read was not.
  expect((await call('grep', { pattern: 'hit', path: 'secret' })).metadata).toMatchObject({ matches: 2 });
  for (const path of ['contracts', 'contracts/d.txt']) {
    expect((await call('grep', { pattern: 'hit', path })).text).toBe(`No matches for hit\n${leftOut('1 file')}`);
  }
  symlinkSync(root, `${root}-link`);
  const linked = await call('grep', { pattern: 'hit' }, { roots: [`${root}-link`] });
  expect(linked.metadata).toMatchObject({ matches: 1 });
});

const READ_RULE = { pattern: '**/contracts/*.txt', isOwn: false };
const leftOut = (files: string) => `(${files} left out by the permission rules; to read one, name it to read)`;

test('glob and grep refuse to leave the roots', async () => {
  const { dir, call } = createRepository();
  for (const input of [{ pattern: '../outside/*' }, { pattern: `${dir}/**` }, { pattern: '*', path: 'link' }]) {
    expect(await call('glob', input)).toMatchObject({ isError: true, text: /is refused/ });
  }
  expect(await call('grep', { pattern: 'x', path: '../outside' })).toMatchObject({ isError: true, text: /is refused/ });
  expect((await call('grep', { pattern: 'secret' })).text).toBe('No matches for secret');
});

test('a search of a root around the home directory does not enter it', async () => {
  const { dir, home, call } = createWorkspace();
  writeFileSync(join(home, 'config.json'), 'needle');
  writeFileSync(join(dir, 'a.json'), 'needle');
  expect((await call('grep', { pattern: 'needle' }, { roots: [dir] })).text).toBe('a.json:1:needle');
  expect((await call('glob', { pattern: '**/*.json' }, { roots: [dir] })).text).toBe('a.json');
  expect(await call('glob', { pattern: 'home/*' }, { roots: [dir] })).toMatchObject({
    isError: true,
    text: /is refused/,
  });
});

test('grep searches the full-output files of its own session', async () => {
  const { home, call } = createWorkspace();
  const outputs = join(home, 'cache/outputs/session-1');
  mkdirSync(outputs, { recursive: true });
  writeFileSync(join(outputs, 'call.txt'), 'one\nneedle\n');
  const path = join(outputs, 'call.txt');
  expect((await call('grep', { pattern: 'needle', path })).text).toBe(`${path}:2:needle`);
});

test('glob caps a long list and counts all of it', async () => {
  const { file, call } = createWorkspace();
  for (let index = 0; index < 1010; index++) file(`f/${index}.txt`, '');
  const { text, metadata } = await call('glob', { pattern: 'f/*' });
  expect(text.split('\n')).toHaveLength(1001);
  expect(text).toMatch(/\(1000 of 1010 files; narrow the pattern to see the others\)$/);
  expect(metadata).toEqual({ count: 1010, isCapped: true });
});

test('grep shows path, line and text of each match, sorted', async () => {
  const { call } = createRepository();
  const { text, metadata } = await call('grep', { pattern: 'needle', ignore_case: true });
  expect(text.split('\n')).toEqual([
    '.github/flow.ts:1:needle',
    'keep.log:1:needle',
    'lib/dist/in.ts:1:needle',
    'src/deep/part.tsx:2:needle here',
    'src/main.ts:1:export const Needle = 1;',
  ]);
  expect(metadata).toEqual({ matches: 5, files: 5 });
});

test('grep of a folder leaves out what may hold secrets, and says so; a named file is searched', async () => {
  const { file, call } = createWorkspace();
  file('.env', 'needle=1');
  file('keys/server.pem', 'needle');
  file('a.txt', 'needle');
  const { text, metadata } = await call('grep', { pattern: 'needle' });
  expect(text).toMatch(/^a\.txt:1:needle\n\(2 files that may hold secrets left out;/);
  expect(metadata).toEqual({ matches: 1, files: 1 });
  expect((await call('grep', { pattern: 'needle', path: '.env' })).text).toBe('.env:1:needle=1');
});

test('grep filters by glob, path and case, and shows context', async () => {
  const { call } = createRepository();
  expect((await call('grep', { pattern: 'needle', glob: '*.tsx' })).text).toBe('src/deep/part.tsx:2:needle here');
  expect((await call('grep', { pattern: '(?i)NEEDLE', path: 'src/main.ts' })).text).toMatch(/^src\/main\.ts:1:/);
  expect((await call('grep', { pattern: 'needle', glob: 'src/**', context: 1 })).text).toBe(
    'src/deep/part.tsx-1-first\nsrc/deep/part.tsx:2:needle here\nsrc/deep/part.tsx-3-last',
  );
});

test('grep joins overlapping context and parts distant stretches', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', ['x1', 'b', 'x2', 'c', 'd', 'e', 'x3'].join('\n'));
  file('b.txt', 'x4');
  const { text } = await call('grep', { pattern: 'x', context: 1 });
  const shown = text.split('\n').map((line) => line.replace('.txt', ''));
  expect(shown).toEqual(['a:1:x1', 'a-2-b', 'a:3:x2', 'a-4-c', '--', 'a-6-e', 'a:7:x3', '--', 'b:1:x4']);
});

test('grep stops at max_matches and says that there are more only when there are', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', 'x\nx\n');
  file('b.txt', 'x\n');
  const capped = await call('grep', { pattern: 'x', max_matches: 2 });
  expect(capped.text).toMatch(/^a\.txt:1:x\na\.txt:2:x\n\(stopped at 2 matches and there is more;/);
  expect(capped.metadata).toEqual({ matches: 2, files: 1, isCapped: true });
  expect((await call('grep', { pattern: 'x', max_matches: 3 })).text).toBe('a.txt:1:x\na.txt:2:x\nb.txt:1:x');
});

test('grep bounds what it shows, whatever the context', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', `${'x'.repeat(300)}\n`.repeat(20_000));
  const { text, metadata } = await call('grep', { pattern: 'x', context: 50, max_matches: 5000 });
  expect(text.length).toBeLessThan(1_100_000);
  expect(text).toMatch(/\(stopped at \d+ matches and there is more;/);
  expect(metadata).toMatchObject({ files: 1, isCapped: true });
});

test('grep explains a bad pattern, a missing path and a binary file', async () => {
  const { call } = createRepository();
  expect(await call('grep', { pattern: 'a(' })).toMatchObject({
    isError: true,
    text: /no JavaScript regular expression: .*a\(/,
  });
  expect(await call('grep', { pattern: 'a', path: 'none' })).toMatchObject({
    isError: true,
    text: 'none does not exist',
  });
  expect(await call('grep', { pattern: 'a', path: 'image.bin' })).toMatchObject({ isError: true, text: /binary/ });
  expect((await call('grep', { pattern: 'nothing-like-it' })).text).toBe('No matches for nothing-like-it');
});

test('grep takes patterns that Unicode rules refuse, and finds by code points where they allow it', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', 'a-b\n\u{1F600}\n');
  expect((await call('grep', { pattern: 'a\\-b' })).text).toBe('a.txt:1:a-b');
  expect((await call('grep', { pattern: '^.$' })).text).toBe('a.txt:2:\u{1F600}');
});

test('grep shows a long line around the match', async () => {
  const { file, call } = createWorkspace();
  file('a.min.js', `${'x'.repeat(100_000)}needle${'y'.repeat(100_000)}`);
  const { text } = await call('grep', { pattern: 'needle' });
  expect(text).toMatch(/^a\.min\.js:1:\.\.\.x+needley+\.\.\. \(\d+ more characters\)$/);
  expect(text.length).toBeLessThan(600);
});

test('grep ends a pattern that would run for ever, with what it found before', async () => {
  const { file, call } = createWorkspace({ searchBudgetMs: 1500 });
  file('a.txt', 'aaab\n');
  file('b.txt', `${'a'.repeat(60)}!\n`);
  const { text, isError } = await call('grep', { pattern: '^(a+)+b?$|^a+b$', glob: 'a.txt' });
  expect({ text, isError }).toEqual({ text: 'a.txt:1:aaab', isError: false });
  const endless = await call('grep', { pattern: '^(a+)+[b]$' });
  expect(endless.text).toMatch(/^a\.txt:1:aaab\n\(stopped after 1\.5s before all files were searched;/);
});

test('a glob that tries a name over and over is stopped, and the event loop stays free meanwhile', async () => {
  const { file, call } = createWorkspace({ searchBudgetMs: 400 });
  file('a'.repeat(250), 'x');
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const { text } = await call('glob', { pattern: '*a*a*a*a*a*b' });
  clearInterval(timer);
  expect(text).toMatch(/^\(stopped after 0.4s/);
  expect(ticks).toBeGreaterThan(10);
});

test('an abort ends a search at once, and the event loop stays free meanwhile', async () => {
  const { file, call } = createWorkspace();
  file('b.txt', `${'a'.repeat(60)}!\n`);
  const abort = new AbortController();
  const pending = call('grep', { pattern: '^(a+)+[b]$' }, { abortSignal: abort.signal });
  setTimeout(() => abort.abort(new Error('enough')), 300);
  await expect(pending).rejects.toThrow('enough');
});

test('neither named pipes nor unreadable places stop a search', async () => {
  const { root, file, call } = createWorkspace();
  execFileSync('mkfifo', [join(root, 'pipe')]);
  file('a.txt', 'x');
  expect((await call('grep', { pattern: 'x' })).text).toBe('a.txt:1:x');
  expect(await call('grep', { pattern: 'x', path: 'pipe' })).toMatchObject({
    isError: true,
    text: /neither a file nor/,
  });
});

test('grep tells the real line numbers after a line of many megabytes', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', `first\n${'x'.repeat(9_000_000)}\nneedle\n${'y\n'.repeat(900_000)}needle\n`);
  for (const pattern of ['needle', 'need[l]e']) {
    expect((await call('grep', { pattern })).text).toBe('a.txt:3:needle\na.txt:900004:needle');
  }
});

test('a plain search needs no thread, and the same one in a thread finds the same', async () => {
  const { file, call } = createWorkspace();
  for (let index = 0; index < 300; index++) file(`f${index % 7}/${index}.ts`, `one\n\u{1F600} word${index}\r\ntwo`);
  const plain = await call('grep', { pattern: '\u{1F600} word1', context: 1 });
  const threaded = await call('grep', { pattern: '(?:\u{1F600} )+word1', context: 1 });
  expect(plain.metadata).toEqual({ matches: 111, files: 111 });
  expect(threaded.result).toEqual(plain.result);
});

test('searches at the same time do not mix, also when one of them has to be stopped', async () => {
  const hasty = createWorkspace({ searchBudgetMs: 2000 });
  hasty.file('b.txt', `${'a'.repeat(60)}!\n`);
  const { file, call } = createWorkspace();
  file('a.txt', 'one\ntwo\n');
  const stopping = hasty.call('grep', { pattern: '^(a+)+[b]$' });
  const patterns = ['on+e', 'tw+o', 'on+e', 'on+e', 'tw+o', 'tw+o'];
  const answers = await Promise.all(patterns.map((pattern) => call('grep', { pattern })));
  const [one, two] = ['a.txt:1:one', 'a.txt:2:two'];
  expect(answers.map(({ text }) => text)).toEqual([one, two, one, one, two, two]);
  expect((await stopping).text).toContain('stopped after');
  expect((await call('grep', { pattern: 'tw+o' })).text).toBe('a.txt:2:two');
});

test('a root within a repository is searched by the rules of the folders around it, up to the one with .git', async () => {
  const { dir, root, file, call } = createWorkspace();
  const above = (path: string, text: string) => writeFileSync(join(dir, path), text);
  mkdirSync(join(root, 'deep'), { recursive: true });
  above('.gitignore', '*.log\n/root/build/\n/build/\nlocal.ts\n');
  for (const path of [
    'a.ts',
    'a.log',
    'build/out.ts',
    'deep/build/in.ts',
    'deep/local.ts',
    'keep.log',
    'node_modules/x.ts',
  ])
    file(path, 'needle');
  const all = async (roots?: string[]) => (await call('glob', { pattern: '**' }, roots && { roots })).text.split('\n');
  // No repository: what lies above the root says nothing.
  expect(await all()).toContain('a.log');
  mkdirSync(join(dir, '.git'));
  expect(await all()).toEqual(['a.ts', 'deep/build/in.ts', 'node_modules/x.ts']);
  // Nearer rules win, those of the root last.
  file('.gitignore', '!keep.log\nnode_modules\n');
  expect(await all()).toEqual(['.gitignore', 'a.ts', 'deep/build/in.ts', 'keep.log']);
  expect((await call('grep', { pattern: 'needle' })).metadata).toMatchObject({ files: 3 });
  expect(await all([join(root, 'deep')])).toEqual(['build/in.ts']);
  // A repository of its own.
  writeFileSync(join(root, '.git'), 'gitdir: ../elsewhere\n');
  expect(await all()).toContain('a.log');
});

test('advice can be followed: at the most matches there are, nothing is told of raising them', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', 'x\n'.repeat(5200));
  expect((await call('grep', { pattern: 'x', max_matches: 2 })).text).toContain('or raise max_matches');
  const most = (await call('grep', { pattern: 'x', max_matches: 9000, context: 60 })).text;
  expect(most).toContain('(stopped at 5000 matches and there is more; narrow pattern, path or glob)');
  expect(most).not.toContain('raise');
  expect(most).toContain('(50 lines of context around a match, the most');
});

test('a construct of other tools that JavaScript reads as something else is told of', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', 'a b\na|b\n<div>\n');
  const textOf = async (pattern: string) => (await call('grep', { pattern })).text;
  expect(await textOf('a[[:space:]]b')).toBe(
    'No matches for a[[:space:]]b\n([:space:] is no class of JavaScript: use \\s for [:space:], \\d for [:digit:], a-zA-Z for [:alpha:])',
  );
  expect(await textOf('a|[^[:alpha:]]+')).toContain('([:alpha:] is no class');
  expect(await textOf('foo\\|bar')).toContain('(\\| is the character itself: for either of two write a|b)');
  expect(await textOf('a\\|b')).toBe('a.txt:2:a|b');
  expect(await textOf('\\<div\\>')).toBe('a.txt:3:<div>');
  expect(await textOf('\\Anone')).toContain('(\\A is no edge in JavaScript');
  expect(await textOf('a\\\\Az')).toBe('No matches for a\\\\Az');
});

// Other systems have no /proc.
test.runIf(process.platform === 'linux')(
  'a walk does not enter the file systems of the kernel, and tells of them',
  () => {
    let unreadable = 0;
    const walk = walkFiles({ root: '/', base: '/proc', blocked: '' }, () => unreadable++);
    expect([...walk].filter((path) => path !== undefined)).toEqual([]);
    expect(unreadable).toBe(1);
  },
);
