import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveInRoots } from './resolve-in-roots.ts';
import { syscalls } from './syscalls.ts';
import { createTestContext } from './testing/test-context.ts';

let dir: string;
let outside: string;

beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'toolpost-sdk-')));
  outside = await realpath(await mkdtemp(join(tmpdir(), 'toolpost-out-')));
});

afterAll(async () => {
  for (const each of [dir, outside]) await rm(each, { recursive: true });
});

/** A killed process whose parent does not wait for it stays in the table as a zombie: that is dead. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe('syscalls.spawn', () => {
  it.each([
    ['echo out; echo err >&2', 'Exit code: 0\nStdout:\nout\nStderr:\nerr\n'],
    ['printf "no line end"; exit 3', 'Exit code: 3\nStdout:\nno line end\nStderr:\n'],
    ['true', 'Exit code: 0\nStdout:\nStderr:\n'],
    ['kill -9 $$', 'Exit code: -1\nStdout:\nStderr:\n'],
    ["printf 'a\\r\\nb\\r\\n'", 'Exit code: 0\nStdout:\na\nb\nStderr:\n'],
  ])('gives the text of %s', async (command, expected) => {
    expect(await syscalls.spawn(command)).toBe(expected);
  });

  it("runs in the call's first root and streams to the call", async () => {
    const context = createTestContext({ roots: [dir] });
    expect(await syscalls.spawn('pwd; echo 😀 >&2', context)).toBe(`Exit code: 0\nStdout:\n${dir}\nStderr:\n😀\n`);
    expect(context.outputs).toContainEqual({ text: `${dir}\n`, stream: 'stdout' });
    expect(context.outputs).toContainEqual({ text: '😀\n', stream: 'stderr' });
  });

  it('kills the command and what it started on an abort', async () => {
    const controller = new AbortController();
    const pids: number[] = [];
    const output = (text: string): void => {
      pids.push(...text.trim().split('\n').map(Number));
      controller.abort();
    };
    const running = syscalls.spawn('sleep 300 & echo $!; wait', { abortSignal: controller.signal, output });
    await expect(running).rejects.toThrow('aborted');
    expect(pids).toHaveLength(1);
    await expect.poll(() => pids.some(isAlive)).toBe(false);
  });

  it('starts nothing for a call that is aborted already', async () => {
    const file = join(dir, 'ran');
    await expect(syscalls.spawn(`touch ${file}`, { abortSignal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(existsSync(file)).toBe(false);
  });

  it('does not wait for a program in the background that keeps the pipes open', async () => {
    const started = performance.now();
    const text = await syscalls.spawn('sleep 30 & echo $!');
    expect(performance.now() - started).toBeLessThan(10_000);
    process.kill(Number(text.split('\n')[2]));
  });

  it('does not wait for ever for one that never falls silent', async () => {
    const text = await syscalls.spawn('(while :; do echo x; sleep 0.05; done) & echo $!; exit 3');
    process.kill(Number(/^\d+$/m.exec(text.replace('Exit code: 3', ''))?.[0]));
    expect(text).toMatch(/^Exit code: 3\n/);
  });

  it('throws when it cannot start', async () => {
    await expect(syscalls.spawn('true', { cwd: join(dir, 'missing') })).rejects.toThrow(
      /^cannot start sh -c "true" in .*missing/,
    );
  });

  it('logs to the call', () => {
    const context = createTestContext();
    syscalls.log('doing something', context);
    expect(context.logs).toEqual([{ message: 'doing something', level: 'info' }]);
  });
});

describe('resolveInRoots', () => {
  it('takes what lies inside, also what does not exist yet', async () => {
    await writeFile(join(dir, 'a.txt'), '');
    expect(await resolveInRoots([dir], 'a.txt')).toBe(join(dir, 'a.txt'));
    expect(await resolveInRoots([dir], 'new/deep/b.txt')).toBe(join(dir, 'new/deep/b.txt'));
    expect(await resolveInRoots([dir, outside], join(outside, 'x'))).toBe(join(outside, 'x'));
    expect(await resolveInRoots([dir], '.')).toBe(dir);
  });

  it('refuses what lies outside, behind links too', async () => {
    await symlink(outside, join(dir, 'link'));
    await symlink(join(outside, 'not-yet'), join(dir, 'dangling'));
    await symlink('loop', join(dir, 'loop'));
    for (const path of ['../x', '/etc/passwd', 'link/x', 'dangling', `${dir}-sibling`]) {
      await expect(resolveInRoots([dir], path), path).rejects.toThrow(`${path} is outside the directories`);
    }
    await expect(resolveInRoots([dir], 'loop')).rejects.toThrow('ELOOP');
    await expect(resolveInRoots([], 'x')).rejects.toThrow('the session grants no directory');
  });
});
