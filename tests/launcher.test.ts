import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { nodeVersion } from './node-versions.ts';

const here = path.dirname(fileURLToPath(import.meta.url));
const OLD = '20.19.5';
const dir = mkdtempSync(path.join(tmpdir(), 'toolpost launcher #'));
const launcher = path.join(dir, 'pkg/bin/toolpost.js');
let oldNode: string | undefined;
let noOldNode = '';

beforeAll(async () => {
  mkdirSync(path.dirname(launcher), { recursive: true });
  mkdirSync(path.join(dir, 'pkg/dist'));
  copyFileSync(path.join(here, '../packages/cli/bin/toolpost.js'), launcher);
  copyFileSync(path.join(here, 'launcher-fixture/main.js'), path.join(dir, 'pkg/dist/main.js'));
  writeFileSync(path.join(dir, 'pkg/package.json'), '{"type":"module"}');
  oldNode = await nodeVersion(OLD).catch((error: Error) => {
    noOldNode = error.message;
    return undefined;
  });
}, 150_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function pinNode(version = process.versions.node): void {
  const node = path.join(dir, 'node_modules/node');
  rmSync(node, { recursive: true, force: true });
  mkdirSync(path.join(node, 'bin'), { recursive: true });
  symlinkSync(process.execPath, path.join(node, 'bin/node'));
  writeFileSync(path.join(node, 'package.json'), JSON.stringify({ version }));
}

function need(context: TestContext): string {
  if (!oldNode) return context.skip(noOldNode);
  return oldNode;
}

interface Ended {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

function start(node: string, ...args: string[]): { child: ChildProcess; ready: Promise<number>; end: Promise<Ended> } {
  const env = { PATH: process.env.PATH, HOME: dir, TOOLPOST_HOME: path.join(dir, 'home') };
  const child = spawn(node, [launcher, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const pid = Promise.withResolvers<number>();
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    const ready = /ready (\d+)\n/.exec(stdout);
    if (ready) pid.resolve(Number(ready[1]));
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const end = once(child, 'close').then(([status, signal]) => {
    pid.reject(new Error(`it ended before it was ready: ${stderr}`));
    return { status, signal, stdout, stderr };
  });
  pid.promise.catch(() => {});
  return { child, ready: pid.promise, end };
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}

describe('on a Node that runs the command', () => {
  it('runs it in its own process and keeps the compile cache in the home directory', async () => {
    const { status, stdout, stderr } = await start(process.execPath, 'show', 'a b').end;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).args).toEqual(['show', 'a b']);
  });

  it('says how to build it when the repository was never built', async () => {
    rmSync(path.join(dir, 'pkg/dist/main.js'));
    const { status, stderr } = await start(process.execPath, 'show').end;
    copyFileSync(path.join(here, 'launcher-fixture/main.js'), path.join(dir, 'pkg/dist/main.js'));
    expect(stderr).toMatch(/^toolpost: it is not built: run "npm start" or "npm run build" in .*\n$/);
    expect(status).toBe(2);
  });

  it('does not take the message of a missing import for a missing build', async () => {
    writeFileSync(path.join(dir, 'pkg/dist/main.js'), "import './gone.js';");
    const { status, stderr } = await start(process.execPath, 'show').end;
    copyFileSync(path.join(here, 'launcher-fixture/main.js'), path.join(dir, 'pkg/dist/main.js'));
    expect(stderr).toContain('gone.js');
    expect(status).toBe(1);
  });
});

describe('on an older Node without a pinned one', () => {
  it('names the Node that it needs and exits 2', async (context) => {
    const node = need(context);
    rmSync(path.join(dir, 'node_modules'), { recursive: true, force: true });
    const { status, stdout, stderr } = await start(node, 'show').end;
    expect(stderr).toMatch(/^toolpost: this is Node 20\.19\.5, and it needs Node >= 22\.18: .*\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  it('takes no pinned Node that is itself too old', async (context) => {
    const node = need(context);
    pinNode('20.0.0');
    expect((await start(node, 'show').end).status).toBe(2);
  });
});

describe('on an older Node beside a pinned one', () => {
  it('runs the command under the pinned one, with the same arguments and no trace in its environment', async (context) => {
    const node = need(context);
    pinNode();
    const { status, stdout, stderr } = await start(node, 'show', '--x', 'a "b" $c').end;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const shown = JSON.parse(stdout);
    expect(shown.node).toBe(process.versions.node);
    expect(shown.args).toEqual(['show', '--x', 'a "b" $c']);
    expect(Object.keys(shown.env).filter((name) => /LAUNCHED|NODE_CHANNEL/.test(name))).toEqual([]);
  });

  it('exits with the status of the command', async (context) => {
    const node = need(context);
    pinNode();
    expect(await start(node, 'exit', '7').end).toMatchObject({ status: 7, signal: null });
  });

  it.for(['SIGTERM', 'SIGKILL', 'SIGABRT'])('ends by %s when the command does', async (signal, context) => {
    const node = need(context);
    pinNode();
    expect(await start(node, 'die', signal).end).toMatchObject({ signal });
  });

  it('passes an interrupt on once, and SIGTERM', async (context) => {
    const node = need(context);
    pinNode();
    const { child, ready, end } = start(node, 'count');
    await ready;
    child.kill('SIGINT');
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    child.kill('SIGTERM');
    const { status, stdout } = await end;
    expect(stdout).toContain('ended after 1');
    expect(status).toBe(0);
  });

  it('ends by the signal when the command does not listen to it', async (context) => {
    const node = need(context);
    pinNode();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const { child, ready, end } = start(node, 'wait');
      await ready;
      child.kill(signal);
      expect((await end).signal).toBe(signal);
    }
  });

  it('ends a command that hears no signal any more, as when a plugin loops in it', async (context) => {
    const node = need(context);
    pinNode();
    const { child, ready, end } = start(node, 'spin');
    const pid = await ready;
    child.kill('SIGTERM');
    expect((await end).signal).toBe('SIGKILL');
    expect(await hasEnded(pid)).toBe(true);
  }, 30_000);

  it('takes the command with it when it is killed', async (context) => {
    const node = need(context);
    pinNode();
    const { child, ready, end } = start(node, 'wait');
    const pid = await ready;
    child.kill('SIGKILL');
    expect(await hasEnded(pid)).toBe(true);
    expect((await end).signal).toBe('SIGKILL');
  });

  it('gives one interrupt for a ctrl-C at a terminal, and one for an interrupt of the launcher alone', async (context) => {
    const node = need(context);
    pinNode();
    const env = { PATH: process.env.PATH, HOME: dir, TOOLPOST_HOME: path.join(dir, 'home') };
    const script = path.join(here, 'launcher-fixture/in-terminal.py');
    const run = promisify(execFile)('python3', [script, node, launcher, 'count'], { env, timeout: 20_000 });
    const result = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return context.skip('there is no python3 to open a terminal with');
      throw error;
    });
    expect(result.stdout).toContain('ended after 2');
  });
});
