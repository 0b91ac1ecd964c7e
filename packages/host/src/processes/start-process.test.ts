import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from './process-identity.ts';
import { type StartedProcess, startProcess } from './start-process.ts';

const started: StartedProcess[] = [];
const env = { PATH: process.env.PATH ?? '' };

async function start(command: string, ...args: string[]): Promise<StartedProcess> {
  const child = await startProcess({ command, args, cwd: tmpdir(), env });
  started.push(child);
  return child;
}

/** Runs a shell script that prints pids, one a line, and waits for as many. */
async function startAndReadPids(script: string, count: number): Promise<{ child: StartedProcess; pids: number[] }> {
  const child = await start('sh', '-c', script);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.trim().split('\n').length >= count && output.endsWith('\n')) break;
  }
  return { child, pids: output.trim().split('\n').map(Number) };
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.kill()));
});

describe('startProcess', () => {
  it('gives the pipes, the exit code once, and a command line to paste', async () => {
    const child = await start('sh', '-c', 'cat; echo oops >&2; exit 3');
    child.stdin.end('hello');
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).toEqual(['hello', 'oops\n']);
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(child.commandLine).toBe("sh -c 'cat; echo oops >&2; exit 3'");
  });

  it('survives a write to a process that has ended', async () => {
    const child = await start('true');
    await child.exited;
    for (let count = 0; count < 10; count++) child.stdin.write('x'.repeat(100_000));
    await child.drained;
  });

  it('names a program that is not there, and the PATH it was looked for on', async () => {
    const message = /cannot start no-such-program-17: no program of this name on the PATH \(.*bin.*\)\. Install it/;
    await expect(start('no-such-program-17')).rejects.toThrow(message);
  });

  it('names a folder that is a file, and one below a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'toolpost-start-')), 'file');
    writeFileSync(file, '');
    const startIn = (cwd: string) => startProcess({ command: 'sh', args: [], cwd, env });
    await expect(startIn(file)).rejects.toThrow(`its folder ${file} is a file`);
    await expect(startIn(`${file}/x`)).rejects.toThrow(`its folder ${file}/x does not exist`);
  });

  it('names a folder that is not there', async () => {
    const cwd = join(tmpdir(), 'no-such-folder-17');
    await expect(startProcess({ command: 'sh', args: [], cwd, env })).rejects.toThrow(
      `its folder ${cwd} does not exist`,
    );
  });

  it('says what to do about a file that is not executable, or not on the PATH', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'toolpost-start-'));
    writeFileSync(join(cwd, 'main.sh'), 'echo hello', { mode: 0o644 });
    await expect(startProcess({ command: './main.sh', args: [], cwd, env })).rejects.toThrow('Run chmod +x on it');
    await expect(startProcess({ command: 'main.sh', args: [], cwd, env })).rejects.toThrow(
      'Write ./main.sh for the file',
    );
  });
});

describe('kill', () => {
  it('ends the whole group, also what ignores SIGTERM', async () => {
    const script = 'trap "" TERM; echo $$; sh -c \'trap "" TERM; echo $$; sleep 300 & echo $!; wait\'';
    const { child, pids } = await startAndReadPids(script, 3);
    expect(pids.every(isAlive)).toBe(true);
    await child.kill();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it.runIf(process.platform === 'linux')('ends what left the group, while its parent lives and after', async () => {
    const escaped = 'setsid sh -c "echo \\$\\$; exec sleep 300 >/dev/null 2>&1" &';
    const { child, pids } = await startAndReadPids(`${escaped} (${escaped}) ; echo $$; wait; sleep 300`, 3);
    await child.kill();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'ends what left the group and cleared its environment, by its parents',
    async () => {
      const { child, pids } = await startAndReadPids(
        'echo $$; setsid env -i sh -c "echo \\$\\$; exec /bin/sleep 300" & wait',
        2,
      );
      await child.kill();
      expect(pids.filter(isAlive)).toEqual([]);
    },
  );

  it.runIf(process.platform === 'linux')('ends what an ended process left behind', async () => {
    const { child, pids } = await startAndReadPids(
      'setsid sleep 300 >/dev/null 2>&1 & echo $!; sleep 300 & echo $!; exit 0',
      2,
    );
    await child.exited;
    await child.kill();
    await child.drained;
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('wins against processes that go on forking', async () => {
    const forker = 'while :; do setsid sleep 5 & sleep 0.002; done';
    const { child } = await startAndReadPids(`echo $$; setsid sh -c '${forker}' & setsid sh -c '${forker}' & wait`, 1);
    await child.kill();
    const { findMarkedProcesses, hostMarker } = await import('./process-marker.ts');
    expect(await findMarkedProcesses([hostMarker()])).toEqual([]);
  });

  it('is the same promise for all who ask, and fast when nothing is left', async () => {
    const child = await start('sleep', '300');
    const before = performance.now();
    await Promise.all([child.kill(), child.kill()]);
    await child.kill();
    expect(performance.now() - before).toBeLessThan(1000);
  });
});

describe('terminate', () => {
  it('lets a process clean up', async () => {
    const { child } = await startAndReadPids('trap "exit 5" TERM; echo 1; while :; do sleep 0.05; done', 1);
    await child.terminate(10_000);
    expect(await child.exited).toEqual({ code: 5, signal: null });
  });

  it('kills what is still there after the grace', async () => {
    const { child } = await startAndReadPids('trap "" TERM; echo 1; while :; do sleep 0.05; done', 1);
    await child.terminate(50);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
