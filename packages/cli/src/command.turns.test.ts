import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

import { createTesterWorld, pluginsOf } from './fixtures/tester-plugin.ts';

const world = createTesterWorld();

const common = () => pluginsOf(world);

describe('a signal while plugins start', () => {
  const hanging = `
    import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    writeFileSync(process.argv[2], process.pid + ' ' + child.pid);
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);`;

  test.each(['tools', 'why evil', 'plugins list'])('ends %s at once, and nothing of them goes on', async (command) => {
    const { write, dir, env, root } = createCommandWorld();
    const pids = join(dir, 'pids');
    write('plugins/hanging/main.mjs', hanging);
    const entry = `node main.mjs ${pids}`;
    write('plugins/hanging/plugin.json', {
      id: 'hanging',
      name: 'h',
      version: '1.0.0',
      runtime: 'stdio',
      entry,
      permissions: ['tools.register'],
    });
    const args = [LAUNCHER, ...command.split(' '), '--plugins', join(dir, 'plugins'), '--no-bundled'];
    const child = spawn(process.execPath, args, { env, cwd: root, stdio: 'ignore' });
    const closed = new Promise((resolve) => child.once('close', (status) => resolve(status)));
    await appearing(pids);
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    for (const pid of readFileSync(pids, 'utf8').split(' ').map(Number)) await gone(pid);
  });
});

/** Resolves once the file is there and has something in it. */
async function appearing(file: string): Promise<void> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8').includes(' '));
}

async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0);
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('run and chat', () => {
  test('run prints the answer on stdout, what happens beside it on stderr', async () => {
    const { status, stdout, stderr } = await world.run(['run', 'call echo with count 3', '--yes', ...common()]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/▸ echo/);
    expect(stdout).not.toContain('▸');
    expect(stdout.trim()).not.toBe('');
  });

  test('run --json prints events only, numbered, from turn-start to turn-end', async () => {
    const { stdout } = await world.run(['run', 'Say hello.', '--json', ...common()]);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0].type).toBe('turn-start');
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'completed' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test('chat without a terminal reads one prompt a line, also a last one without its end, and skips empty ones', async () => {
    const input = 'call echo with count 1\n\n  \ncall fail';
    const { status, stderr } = await world.run(['chat', '--yes', ...common()], { input });
    expect(stderr.match(/▸ (echo|fail)/g)).toEqual(['▸ echo', '▸ fail']);
    expect(stderr).toContain('the printer is on fire');
    expect(status).toBe(0);
  });

  test('SIGTERM ends a chat in the middle of a turn, and reads no further line', async () => {
    const input = 'call wait\ncall echo with count 1\n';
    const stop = spawnChat(input, 'SIGTERM');
    const { stderr } = await stop;
    expect(stderr).toContain('▸ wait');
    expect(stderr).not.toContain('▸ echo');
  });
});

/** A chat without a terminal that gets a signal once its first call runs. */
function spawnChat(input: string, signal: NodeJS.Signals): Promise<{ stderr: string }> {
  const child = spawn(process.execPath, [LAUNCHER, 'chat', '--yes', ...common()], { env: world.env, cwd: world.root });
  let stderr = '';
  let isSent = false;
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
    if (!isSent && stderr.includes('▸ wait')) isSent = child.kill(signal);
  });
  child.stdin.write(input);
  return new Promise((resolve) => child.once('close', () => resolve({ stderr })));
}
