import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedactor } from '../call-path/redactor.ts';
import { createWorkspace, type Workspace } from './fixtures/workspace.ts';

/** Not there, or a zombie that nobody has waited for yet. */
function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

async function pidsIn({ root }: Workspace, file = 'pids'): Promise<number[]> {
  const path = join(root, file);
  await expect
    .poll(() => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'), { timeout: 10_000 })
    .toBe(true);
  return readFileSync(path, 'utf8').trim().split(/\s+/).map(Number);
}

test('runs in the first root and gives both streams', async () => {
  const { root, call } = createWorkspace();
  const { text, isError, metadata } = await call('bash', { command: 'pwd; echo out; echo err >&2' });
  expect(isError).toBe(false);
  expect(text.split('\n').sort()).toEqual([root, 'err', 'out'].sort());
  expect(metadata).toMatchObject({ exitCode: 0 });
});

test('tells a non-zero exit code and a signal', async () => {
  const { call } = createWorkspace();
  const exited = await call('bash', { command: 'echo before; exit 41' });
  expect(exited).toMatchObject({ isError: true, text: 'before\n\nExit code: 41', metadata: { exitCode: 41 } });
  const killed = await call('bash', { command: 'kill -9 $$' });
  expect(killed).toMatchObject({ isError: true, text: 'Exit code: 137 (SIGKILL)', metadata: { exitCode: 137 } });
});

test('says when there is no output, and gives commands no input to wait for', async () => {
  const { call } = createWorkspace();
  expect((await call('bash', { command: 'cat' })).text).toBe('(no output)');
});

test('takes a command that begins with a dash, quotes and line feeds as they are', async () => {
  const { call } = createWorkspace();
  expect((await call('bash', { command: '-x' })).text).toMatch(/-x: (command )?not found/);
  expect((await call('bash', { command: `printf '%s|' "it's" 'a  b'\nprintf '$&'` })).text).toBe(`it's|a  b|$&`);
});

test('streams each stream under its own name, before the command ends', async () => {
  const workspace = createWorkspace();
  const seen: [string, string][] = [];
  let firstAt = 0;
  const command = 'echo one; echo two >&2; while [ ! -e go ]; do sleep 0.02; done; echo three';
  await workspace.call(
    'bash',
    { command },
    {
      onOutput(text, stream) {
        if (seen.push([stream, text]) === 2) {
          firstAt = performance.now();
          workspace.file('go', '');
        }
      },
    },
  );
  expect(firstAt).toBeGreaterThan(0);
  expect(
    seen
      .filter(([stream]) => stream === 'stdout')
      .map(([, text]) => text)
      .join(''),
  ).toBe('one\nthree\n');
  expect(
    seen
      .filter(([stream]) => stream === 'stderr')
      .map(([, text]) => text)
      .join(''),
  ).toBe('two\n');
});

test('decodes characters that arrive in parts', async () => {
  const { call } = createWorkspace();
  const pieces: string[] = [];
  const command = `for b in '\\360' '\\237' '\\230' '\\200'; do printf "$b"; sleep 0.03; done`;
  const { text } = await call('bash', { command }, { onOutput: (piece) => pieces.push(piece) });
  expect(text).toBe('\u{1F600}');
  expect(pieces.join('')).toBe('\u{1F600}');
});

test('reads no start-up file of the user', async () => {
  const { dir, call } = createWorkspace({ hostEnvironment: { PATH: process.env.PATH, HOME: '/nowhere' } });
  const home = createWorkspace({ hostEnvironment: { PATH: process.env.PATH, HOME: dir } });
  for (const name of ['.bashrc', '.profile', '.bash_profile'])
    writeFileSync(join(dir, name), 'echo from a start-up file');
  expect((await home.call('bash', { command: 'echo $HOME' })).text).toBe(dir);
  expect((await call('bash', { command: 'echo $HOME' })).text).toBe('/nowhere');
});

test('falls back to sh where there is no bash', async () => {
  const { dir, root, call } = createWorkspace();
  symlinkSync('/bin/sh', join(dir, 'sh'));
  const poor = createWorkspace({ hostEnvironment: { PATH: dir } });
  expect((await poor.call('bash', { command: 'echo "$BASH"$0' }, { roots: [root] })).text).toMatch(/^sh$|\/sh$/);
  expect((await call('bash', { command: 'echo $BASH' })).text).toMatch(/bash$/);
});

test('passes no secret of the host on', async () => {
  const hostEnvironment = {
    PATH: process.env.PATH,
    HOME: '/home/me',
    OPENAI_API_KEY: 'kit-secret',
    MY_TOKEN: 'kit-secret',
  };
  const { call } = createWorkspace({ hostEnvironment });
  const { text } = await call('bash', { command: 'env' });
  expect(text).toContain('HOME=/home/me');
  expect(text).not.toContain('kit-secret');
});

test('shows the last state of a progress line', async () => {
  const { call } = createWorkspace();
  expect((await call('bash', { command: `printf ' 1%%\\r50%%\\r100%%\\ndone\\r\\n'` })).text).toBe('100%\ndone');
});

test('stops the command at its own timeout, with what it printed', async () => {
  const workspace = createWorkspace();
  const started = performance.now();
  const command = 'sleep 100 & echo $$ $! > pids; echo before; wait';
  const answer = await workspace.call('bash', { command, timeout: 300 });
  expect(performance.now() - started).toBeLessThan(5000);
  expect(answer).toMatchObject({
    isError: true,
    text: /^before\n\nThe command was stopped after 300ms/,
    metadata: { timedOut: true },
    hasTimedOut: true,
  });
  expect((await pidsIn(workspace)).filter((pid) => !isGone(pid))).toEqual([]);
});

test('kills the whole process group and what left it when the call is aborted', async () => {
  const workspace = createWorkspace();
  const abort = new AbortController();
  const command = 'sleep 100 & a=$!; setsid sleep 101 & echo $$ $a $! > pids; wait';
  const call = workspace.call('bash', { command }, { abortSignal: abort.signal });
  const pids = await pidsIn(workspace);
  abort.abort(new Error('cancelled by the test'));
  await expect(call).rejects.toThrow('cancelled by the test');
  expect(pids).toHaveLength(3);
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
});

test('does not wait for background processes, says so, and leaves none', async () => {
  const workspace = createWorkspace();
  const started = performance.now();
  const command = 'sleep 100 & echo $! > pids; (setsid sleep 101 >/dev/null 2>&1 & echo $! > more); echo hi';
  const answer = await workspace.call('bash', { command });
  expect(performance.now() - started).toBeLessThan(5000);
  expect(answer).toMatchObject({
    isError: false,
    text: /^hi\n\n\(a background process kept/,
    metadata: { outputIncomplete: true },
  });
  const pids = [...(await pidsIn(workspace)), ...(await pidsIn(workspace, 'more'))];
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'leaves nothing that left the group, cleared its environment, closed its pipes and lost its parent',
  async () => {
    const workspace = createWorkspace();
    const sleeper = `env -i sh -c 'echo $$ >> pids; exec sleep 1000' </dev/null >/dev/null 2>&1`;
    const command = `: > pids; setsid -f ${sleeper}; (setsid setsid -f ${sleeper} &) ; until [ $(wc -l < pids) = 2 ]; do sleep 0.02; done`;
    const answer = await workspace.call('bash', { command });
    expect(answer).toMatchObject({ isError: false, text: '(no output)' });
    const pids = await pidsIn(workspace);
    expect(pids).toHaveLength(2);
    expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')('spares what another command has started so', async () => {
  const workspace = createWorkspace();
  const abort = new AbortController();
  const command = `setsid -f env -i sh -c 'echo $$ > pids; exec sleep 1000' </dev/null >/dev/null 2>&1; sleep 1000`;
  const other = workspace.call('bash', { command }, { abortSignal: abort.signal });
  const pids = await pidsIn(workspace);
  await workspace.call('bash', { command: 'true' });
  expect(pids.filter(isGone)).toEqual([]);
  abort.abort(new Error('enough'));
  await expect(other).rejects.toThrow('enough');
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
});

test('keeps what a background process prints shortly after the shell ended', async () => {
  const { call } = createWorkspace();
  const { text, metadata } = await call('bash', {
    command: '(for i in 1 2 3 4 5; do sleep 0.15; echo late $i; done) & echo first',
  });
  expect(text).toBe('first\nlate 1\nlate 2\nlate 3\nlate 4\nlate 5');
  expect(metadata.outputIncomplete).toBeUndefined();
});

test('keeps head and tail of a flood, in flat memory, passes all of it on, and names the file with the whole', async () => {
  const { home, call } = createWorkspace();
  const command = `echo begin; yes 'the quick brown fox' | head -c 100000000; echo; echo end`;
  const startRss = process.memoryUsage.rss();
  let passed = 0;
  let peakRss = 0;
  const onOutput = (piece: string): void => {
    passed += piece.length;
    peakRss = Math.max(peakRss, process.memoryUsage.rss());
  };
  const { text, metadata } = await call('bash', { command }, { onOutput });
  expect(passed).toBe(100_000_011);
  expect(peakRss - startRss).toBeLessThan(100_000_000);
  expect(metadata).toMatchObject({
    fullOutput: join(home, 'cache/outputs/session-1/call-1.txt'),
    fullOutputBytes: 100_000_011,
  });
  const file = String(metadata.fullOutput);
  expect(statSync(file)).toMatchObject({ size: 100_000_011, mode: 0o100600 });
  expect(
    execFileSync('sh', ['-c', `head -n 2 "$1"; tail -n 1 "$1"; sort -u "$1" | wc -l`, 'sh', file]).toString(),
  ).toMatch(/^begin\nthe quick brown fox\nend\n *4\n$/);
  expect(metadata).toMatchObject({ outputBytes: 100_000_011, outputTruncated: true });
  expect(text.startsWith('begin\nthe quick')).toBe(true);
  expect(text.endsWith('\nend')).toBe(true);
  const left = Number(/\((\d+) characters left out\)/.exec(text)?.[1]);
  expect(left).toBeGreaterThan(97_000_000);
  expect(text.length).toBeLessThan(2_100_000);
});

test('explains a command that cannot be started', async () => {
  const { dir, call } = createWorkspace();
  expect(await call('bash', {})).toMatchObject({ isError: true, text: /command is missing/ });
  expect(await call('bash', { command: 'a\0b' })).toMatchObject({ isError: true, text: /NUL/ });
  expect(await call('bash', { command: 'true', timeout: 0.5 })).toMatchObject({
    isError: true,
    text: /timeout must be a whole number/,
  });
  const gone = await call('bash', { command: 'true' }, { roots: [join(dir, 'gone')] });
  expect(gone).toMatchObject({ isError: true, text: /gone/ });
  expect(await call('bash', { command: `: ${'x'.repeat(300_000)}` })).toMatchObject({
    isError: true,
    text: /write it to a script file/,
  });
  expect((await call('bash', { command: `: ${'x'.repeat(131_069)}` })).text).toBe('(no output)');
});

test('keeps the whole of a long output byte for byte, where read and grep find it', async () => {
  const { call } = createWorkspace();
  const command = `seq 30000; printf '\\351 one\\r two\\n'; seq 10 | sed 's/^/err /' >&2`;
  const { metadata } = await call('bash', { command });
  const path = String(metadata.fullOutput);
  const kept = readFileSync(path);
  const numbers = Array.from({ length: 30_000 }, (_, index) => `${index + 1}\n`).join('');
  expect(kept.subarray(0, numbers.length).toString()).toBe(numbers);
  expect(kept.includes(Buffer.from('\xe9 one\r two\n', 'latin1'))).toBe(true);
  expect(metadata.fullOutputBytes).toBe(kept.length);
  expect((await call('read', { path, offset: 29_998, limit: 1 })).text).toMatch(/\n29999$/);
  expect((await call('grep', { pattern: '^err 7$', path })).text).toMatch(/:err 7$/);
});

test('makes no file for a short output, and one for each call of the same id', async () => {
  const { home, call } = createWorkspace();
  await call('bash', { command: 'seq 1000' });
  expect(existsSync(join(home, 'cache'))).toBe(false);
  const first = await call('bash', { command: 'seq 30000' });
  const second = await call('bash', { command: 'seq 30001' });
  expect(first.metadata.fullOutput).not.toBe(second.metadata.fullOutput);
  expect(readFileSync(String(first.metadata.fullOutput), 'utf8')).toMatch(/\n30000\n$/);
});

test('names the file also when the command fails or is stopped, and leaves none when the call is cancelled', async () => {
  const { home, call } = createWorkspace();
  const failed = await call('bash', { command: 'seq 30000; exit 3' });
  expect(statSync(String(failed.metadata.fullOutput)).size).toBe(failed.metadata.fullOutputBytes);
  const stopped = await call('bash', { command: 'seq 30000; sleep 100', timeout: 400 });
  expect(readFileSync(String(stopped.metadata.fullOutput), 'utf8')).toMatch(/\n30000\n$/);
  const abort = new AbortController();
  let seen = 0;
  const onOutput = (text: string): void => {
    seen += text.length;
    if (seen > 150_000) abort.abort(new Error('enough'));
  };
  const command = 'seq 30000; sleep 100';
  await expect(call('bash', { command }, { abortSignal: abort.signal, onOutput })).rejects.toThrow('enough');
  expect(readdirSync(join(home, 'cache/outputs/session-1'))).toHaveLength(2);
});

test('masks secrets in the file, also those that come in two pieces', async () => {
  const { call } = createWorkspace({ redactor: createRedactor(['kit-secret-value']) });
  const command = 'seq 30000; printf kit-sec; sleep 0.1; echo ret-value; printf "tail kit-sec"';
  const { text, metadata } = await call('bash', { command });
  const kept = readFileSync(String(metadata.fullOutput), 'utf8');
  for (const shown of [text, kept]) {
    expect(shown).toContain('\n30000\n[redacted]\ntail kit-sec');
    expect(shown).not.toContain('kit-secret-value');
  }
});

test('gives the text without a file where none can be made', async () => {
  const { home, call } = createWorkspace();
  writeFileSync(join(home, 'cache'), 'in the way');
  const { text, isError, metadata } = await call('bash', { command: 'seq 30000' });
  expect(text).toMatch(/^1\n2\n.*\n30000$/s);
  expect({ isError, metadata }).toEqual({ isError: false, metadata: { exitCode: 0, outputBytes: 168_894 } });
});
