import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSwapper } from './fixtures/swapper.ts';
import { createWorkspace } from './fixtures/workspace.ts';

test('gives the lines without the last line feed, under either name of the path', async () => {
  const { file, root, call } = createWorkspace();
  file('sub/a.txt', 'first\nsecond\n');
  expect((await call('read', { file_path: 'sub/a.txt' })).text).toBe('first\nsecond');
  expect((await call('read', { path: join(root, 'sub/a.txt') })).text).toBe('first\nsecond');
});

test('asks for a path when there is none, and for one when there are two', async () => {
  const { call } = createWorkspace();
  expect(await call('read', {})).toMatchObject({ isError: true, text: 'file_path is missing: name the file' });
  expect(await call('read', { file_path: 'a', path: 'b' })).toMatchObject({ isError: true, text: /two files/ });
});

test('takes file_path and path together when they are spellings of one file', async () => {
  const { file, root, dir, call } = createWorkspace();
  file('p.txt', 'one');
  symlinkSync('root', join(dir, 'link'));
  for (const path of ['./p.txt', 'sub/../p.txt', join(root, 'p.txt'), join(dir, 'link/p.txt')])
    expect(await call('read', { file_path: 'p.txt', path })).toMatchObject({ isError: false, text: 'one' });
  expect(await call('read', { file_path: 'p.txt', path: 'sub/p.txt' })).toMatchObject({ text: /two files/ });
  expect(
    await call('edit', { file_path: 'p.txt', path: './p.txt', old_string: 'one', new_string: 'two' }),
  ).toMatchObject({ isError: false });
});

test('shows a page with the offset at which to go on, and the last page without', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', Array.from({ length: 300 }, (_, index) => `row-${index}`).join('\n'));
  const page = await call('read', { file_path: 'a.txt', offset: 10, limit: 2 });
  expect(page.text).toBe('Lines 11-12 of 300 (use offset=12 to read more):\nrow-10\nrow-11');
  expect((await call('read', { file_path: 'a.txt', offset: 298 })).text).toBe('row-298\nrow-299');
  expect(await call('read', { file_path: 'a.txt', offset: 300 })).toMatchObject({
    text: '',
    metadata: { path: 'a.txt', total_lines: 300 },
  });
});

test('reads a source file of 60 KB in one call', async () => {
  const { file, call } = createWorkspace();
  const source = Array.from({ length: 3200 }, (_, index) => `const v${index} = ${index};`).join('\n');
  file('big.ts', source);
  expect(source.length).toBeGreaterThan(60_000);
  expect((await call('read', { file_path: 'big.ts' })).text).toBe(source);
  const line = 'x'.repeat(60_000);
  file('line.txt', line);
  expect((await call('read', { file_path: 'line.txt' })).text).toBe(line);
});

test('pages through a large file without losing or repeating a line', async () => {
  const { file, call } = createWorkspace();
  const lines = Array.from({ length: 9000 }, (_, index) => `${index} \u{1F600} ${'y'.repeat(index % 90)}`);
  file('large.txt', lines.join('\n'));
  const got: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { text } = await call('read', { file_path: 'large.txt', offset });
    const next: RegExpExecArray | null = /^Lines .*use offset=(\d+) to read more.*\n/.exec(text);
    got.push(...text.slice(next?.[0].length ?? 0).split('\n'));
    offset = next ? Number(next[1]) : undefined;
  }
  expect(got).toEqual(lines);
});

test('cuts a very long line visibly and never inside a character', async () => {
  const { file, call } = createWorkspace();
  file('long.txt', `a${'\u{1F600}'.repeat(30_000)}\nnext\n`);
  const { text } = await call('read', { file_path: 'long.txt' });
  expect(text).toMatch(/^a\u{1F600}+\.\.\. \(54468 more bytes in this line: .* line_offset=65533 to read on\)\nnext$/u);
});

test('a very long line is read to its end by following what each page says', async () => {
  const { file, call } = createWorkspace();
  const line = `{"text":"${'caf\u00e9 \u{1F600} '.repeat(18_000)}"}`;
  file('one-line.json', `first\n${line}\r\nlast`);
  const got: string[] = [];
  for (let at: Record<string, number> | undefined = { offset: 1 }; at !== undefined; ) {
    const { text } = await call('read', { file_path: 'one-line.json', limit: 1, ...at });
    const page = text.replace(/^Lines .*\n/, '');
    const more: RegExpExecArray | null = /\.\.\. \(\d+ more bytes.*offset=(\d+) line_offset=(\d+) to read on\)$/.exec(
      page,
    );
    got.push(more ? page.slice(0, more.index) : page);
    at = more ? { offset: Number(more[1]), line_offset: Number(more[2]) } : undefined;
  }
  expect(got.length).toBeGreaterThan(3);
  expect(got.join('')).toBe(line);
});

test('says where a line ends when it is asked for more of it', async () => {
  const { file, call } = createWorkspace();
  file('a.txt', 'first\nsecond');
  expect((await call('read', { file_path: 'a.txt', line_offset: 2 })).text).toBe('rst\nsecond');
  expect((await call('read', { file_path: 'a.txt', offset: 1, line_offset: 9 })).text).toBe(
    '(line 2 has 6 bytes, line_offset=9 is behind them)\n',
  );
});

test('shows CRLF lines as lines, and not the byte order mark', async () => {
  const { file, call } = createWorkspace();
  file('crlf.txt', '\ufeffone\r\ntwo\r\n\r\n');
  expect((await call('read', { file_path: 'crlf.txt' })).text).toBe('one\ntwo\n');
});

test('says that a file is binary or UTF-16, and marks bytes that are not UTF-8', async () => {
  const { file, call } = createWorkspace();
  file('a.bin', Buffer.from([0x7f, 0x45, 0, 1]));
  file('wide.txt', Buffer.from('\ufeffhello', 'utf16le'));
  file('latin.txt', Buffer.from('caf\xe9', 'latin1'));
  expect(await call('read', { file_path: 'a.bin' })).toMatchObject({ isError: true, text: /a\.bin is a binary file/ });
  expect(await call('read', { file_path: 'wide.txt' })).toMatchObject({ isError: true, text: /UTF-16/ });
  expect(await call('read', { file_path: 'latin.txt' })).toMatchObject({
    isError: false,
    text: /not UTF-8.*\ncaf\ufffd$/,
  });
});

test('says that a file of one NUL is binary', async () => {
  const { file, call } = createWorkspace();
  file('nul', Buffer.from([0]));
  expect(await call('read', { file_path: 'nul' })).toMatchObject({ isError: true, text: /^nul is a binary file/ });
});

test('names a missing file, a directory and a named pipe, and does not wait for the pipe', async () => {
  const { root, call } = createWorkspace();
  mkdirSync(join(root, 'folder'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await call('read', { file_path: 'none.txt' })).toMatchObject({
    isError: true,
    text: 'none.txt does not exist',
  });
  expect(await call('read', { file_path: 'folder' })).toMatchObject({ isError: true, text: /folder is a directory/ });
  expect(await call('read', { file_path: 'pipe' })).toMatchObject({ isError: true, text: /pipe is a named pipe/ });
});

test('opens the full-output files of its own session only', async () => {
  const { home, call } = createWorkspace();
  for (const session of ['session-1', 'session-2'])
    mkdirSync(join(home, 'cache/outputs', session), { recursive: true });
  writeFileSync(join(home, 'cache/outputs/session-1/a.txt'), 'mine');
  writeFileSync(join(home, 'cache/outputs/session-2/a.txt'), 'theirs');
  expect((await call('read', { file_path: join(home, 'cache/outputs/session-1/a.txt') })).text).toBe('mine');
  const other = await call('read', { file_path: join(home, 'cache/outputs/session-2/a.txt') });
  expect(other).toMatchObject({ isError: true, text: /is refused/ });
});

test('does not follow a link out of the root', async () => {
  const { dir, root, call } = createWorkspace();
  writeFileSync(join(dir, 'secret.txt'), 'secret');
  symlinkSync('../secret.txt', join(root, 'link'));
  const { text, isError } = await call('read', { file_path: 'link' });
  expect(isError).toBe(true);
  expect(text).not.toContain('secret');
});

test('never reads outside while a directory is swapped for a link', async () => {
  const { dir, root, call } = createWorkspace();
  const outside = join(dir, 'outside');
  for (const folder of [outside, join(root, 'swap')]) mkdirSync(folder);
  writeFileSync(join(outside, 'a.txt'), 'secret');
  writeFileSync(join(root, 'swap/a.txt'), 'inside');
  const swapper = startSwapper(root, outside);
  const texts = new Set<string>();
  for (let round = 0; round < 400 || swapper.swaps() <= 10; round++)
    texts.add((await call('read', { file_path: 'swap/a.txt' })).text);
  await swapper.stop();
  expect(texts).toContain('inside');
  expect(texts).not.toContain('secret');
});

// Other systems have no /proc.
test.runIf(process.platform === 'linux')('opens nothing of the kernel, also where a root contains it', async () => {
  const { call } = createWorkspace();
  const roots = ['/'];
  for (const file_path of ['/proc/self/environ', '/proc/1/cmdline', '/sys/kernel/notes', '/proc/none/there'])
    expect(await call('read', { file_path }, { roots })).toMatchObject({ isError: true, text: /of the kernel/ });
  expect(await call('write', { file_path: '/proc/self/comm', content: 'x' }, { roots })).toMatchObject({
    text: /of the kernel/,
  });
  expect(await call('grep', { pattern: 'PATH=', path: '/proc/self' }, { roots })).toMatchObject({
    text: /of the kernel/,
  });
});
