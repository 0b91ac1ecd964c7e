import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { identify, isAlive, pidSpace } from './process-identity.ts';
import { hostMarker } from './process-marker.ts';
import { processRegistryOf } from './process-registry.ts';
import { reapOrphans } from './reap-orphans.ts';
import { type StartedProcess, startProcess } from './start-process.ts';

const newHome = (): string => mkdtempSync(join(tmpdir(), 'toolpost-reap-'));
const runFiles = (home: string): string[] => readdirSync(join(home, 'run'));
const env = { PATH: process.env.PATH ?? '' };
const started: StartedProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((child) => child.kill()));
});

async function startHere(home: string): Promise<StartedProcess> {
  const options = { command: 'sleep', args: ['300'], cwd: tmpdir(), env, registry: processRegistryOf(home) };
  const child = await startProcess(options);
  started.push(child);
  return child;
}

const TWO_SLEEPERS = 'echo $$; sleep 300 & echo $!; setsid sleep 300 & echo $!; wait';

/** A host process that starts a shell, which prints three pids: its own and those of two sleepers, one outside the group. */
async function startHost(
  home: string,
  script = TWO_SLEEPERS,
): Promise<{ kill(): Promise<void>; end(): Promise<void>; pids: number[] }> {
  const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
  const code = `
    const { startProcess } = await import(${JSON.stringify(at('start-process.ts'))});
    const { processRegistryOf } = await import(${JSON.stringify(at('process-registry.ts'))});
    const registry = processRegistryOf(${JSON.stringify(home)});
    const child = await startProcess({ command: 'sh', args: ['-c', ${JSON.stringify(script)}], cwd: '/', env: process.env, registry, bash: '/bin/bash' });
    child.stdout.pipe(process.stdout);
    process.stdin.on('end', () => process.exit(1)).resume();`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of host.stdout) {
    output += String(chunk);
    if (output.split('\n').length > 3) break;
  }
  const exited = once(host, 'exit');
  const kill = async (): Promise<void> => {
    host.kill('SIGKILL');
    await exited;
  };
  const end = async (): Promise<void> => {
    host.stdin.end();
    await exited;
  };
  return { kill, end, pids: output.trim().split('\n').map(Number) };
}

describe.runIf(process.platform === 'linux')('reapOrphans', () => {
  it('kills what a killed host left, also what had left its group, and removes its file', async () => {
    const home = newHome();
    const host = await startHost(home);
    expect(await reapOrphans(home)).toBe(0);
    expect(host.pids.every(isAlive)).toBe(true);
    await host.kill();
    expect(host.pids.every(isAlive)).toBe(true);
    expect(await reapOrphans(home)).toBe(3);
    expect(host.pids.filter(isAlive)).toEqual([]);
    expect(runFiles(home)).toEqual([]);
  });

  it.runIf(existsSync('/bin/bash'))('kills also what cleared its environment and lost its parent', async () => {
    const home = newHome();
    const cleared = `setsid -f env -i sh -c 'echo $$; exec sleep 300'`;
    const host = await startHost(home, `echo $$; ${cleared}; ${cleared}; sleep 300`);
    await host.kill();
    expect(host.pids.every(isAlive)).toBe(true);
    await reapOrphans(home);
    expect(host.pids.filter(isAlive)).toEqual([]);
  });

  it('may run in several hosts at once', async () => {
    const home = newHome();
    const host = await startHost(home);
    await host.kill();
    const counts = await Promise.all([reapOrphans(home), reapOrphans(home), reapOrphans(home)]);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(host.pids.filter(isAlive)).toEqual([]);
    expect(runFiles(home)).toEqual([]);
  });

  it('keeps what a living host started: this one', async () => {
    const home = newHome();
    const child = await startHere(home);
    expect(await reapOrphans(home)).toBe(0);
    expect(isAlive(child.pid)).toBe(true);
    expect(runFiles(home)).toHaveLength(1);
  });

  it('spares a process that only has the pid of an earlier one', async () => {
    const home = newHome();
    const child = await startHere(newHome());
    const head = { host: { pid: process.pid, startTime: 1 }, ...pidSpace(), marker: '.no-such-marker.' };
    mkdirSync(join(home, 'run'));
    const lines = [head, { pid: child.pid, startTime: 1 }].map((line) => JSON.stringify(line));
    writeFileSync(join(home, 'run', 'old.jsonl'), lines.join('\n'));
    expect(await reapOrphans(home)).toBe(0);
    expect(isAlive(child.pid)).toBe(true);
    expect(runFiles(home)).toEqual([]);
  });

  it.each([
    ['another boot', { boot: 'earlier' }, 0],
    ['another pid namespace', { namespace: 'pid:[1]' }, 1],
  ])('kills nothing by the file of %s', async (_name, change, filesLeft) => {
    const home = newHome();
    const child = await startHere(newHome());
    const head = { host: { pid: process.pid, startTime: 1 }, ...pidSpace(), marker: hostMarker(), ...change };
    mkdirSync(join(home, 'run'));
    writeFileSync(
      join(home, 'run', 'other.jsonl'),
      `${JSON.stringify(head)}\n${JSON.stringify(identify(child.pid))}\n`,
    );
    expect(await reapOrphans(home)).toBe(0);
    expect(isAlive(child.pid)).toBe(true);
    expect(runFiles(home)).toHaveLength(filesLeft);
  });

  it('leaves a file alone that says nothing, and removes it after a week', async () => {
    const home = newHome();
    mkdirSync(join(home, 'run'));
    const path = join(home, 'run', 'cut.jsonl');
    writeFileSync(path, '{"host":{"pid"');
    appendFileSync(path, '\n{"pid":-1,"startTime":1}');
    expect(await reapOrphans(home)).toBe(0);
    expect(runFiles(home)).toEqual(['cut.jsonl']);
    utimesSync(path, 1, 1);
    expect(await reapOrphans(home)).toBe(0);
    expect(runFiles(home)).toEqual([]);
  });

  it('has nothing to do in a home directory without run files', async () => {
    expect(await reapOrphans(newHome())).toBe(0);
    expect(await reapOrphans('/no/such/home')).toBe(0);
  });
});

describe('processRegistryOf', () => {
  it('writes one file a host, which goes with its last process', async () => {
    const home = newHome();
    const [first, second] = [await startHere(home), await startHere(home)];
    const [name] = runFiles(home);
    const lines = readFileSync(join(home, 'run', String(name)), 'utf8')
      .trim()
      .split('\n');
    expect(lines.slice(1).map((line) => JSON.parse(line).pid)).toEqual([first.pid, second.pid]);
    await first.kill();
    expect(runFiles(home)).toHaveLength(1);
    await second.kill();
    expect(runFiles(home)).toEqual([]);
  });

  it('does not stop a start when the home directory cannot be written', async () => {
    const home = join(newHome(), 'file');
    writeFileSync(home, '');
    const child = await startHere(home);
    expect(isAlive(child.pid)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('kills what still runs when the host exits without closing', async () => {
    const host = await startHost(newHome());
    await host.end();
    // It sends the signals on its way out and cannot wait for their effect.
    await expect.poll(() => host.pids.filter(isAlive)).toEqual([]);
  });
});
