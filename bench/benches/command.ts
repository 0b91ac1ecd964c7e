import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { launcher } from '../../scripts/repository.js';
import { measureInterleaved, type Variant } from '../interleave.ts';
import type { Group } from '../report.ts';
import { makeFolder } from '../toolpost-host.ts';

const FLOOR = 'node -e 0';
const OWN = 'toolpost call';
const CALL = [launcher, 'call', 'hello', 'name=Bob', '--json'];

/** The whole process of one call of a native tool, from spawn to end. */
export async function* measure(): AsyncGenerator<Group> {
  const folder = makeFolder();
  const home = `${folder.dir}/home`;
  const variants: Variant[] = [
    { name: FLOOR, role: 'floor', run: () => runProcess(process.execPath, ['-e', '0']) },
    { name: OWN, role: 'toolpost', run: () => callHello(process.execPath, home) },
    {
      name: 'toolpost call, home directory empty',
      role: 'toolpost',
      run: () => callHello(process.execPath, folder.freshHome()),
    },
    ...oldNodeVariants(home),
  ];
  await callHello(process.execPath, home);
  const measured = await measureInterleaved(variants, { rounds: 41, turnMs: 0, warmUpMs: 0 });
  folder.remove();
  yield {
    title: 'The whole process: toolpost call hello name=Bob --json',
    measured,
    targets: [{ text: 'at most 3 x node -e 0', of: OWN, to: FLOOR, atMost: 3 }],
  };
}

/** Where the machine's own Node is too old, the launcher starts the pinned one: two processes in place of one. */
function oldNodeVariants(home: string): Variant[] {
  const node = machinesNode();
  if (!node) return [];
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  return [
    { name: `node ${version} -e 0`, role: 'beside', run: () => runProcess(node, ['-e', '0']) },
    { name: `toolpost call, started by node ${version}`, role: 'beside', run: () => callHello(node, home) },
  ];
}

/** The first Node of the PATH that no package brought. */
function machinesNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((dir) => !dir.includes('node_modules'));
  return folders.map((dir) => path.join(dir, 'node')).find((file) => existsSync(file) && file !== process.execPath);
}

async function callHello(node: string, home: string): Promise<number> {
  return runProcess(node, CALL, { home, expected: '"outcome":"completed"' });
}

/** Resolves with the time from spawn to end in ms. */
function runProcess(
  program: string,
  args: readonly string[],
  { home, expected = '' }: { home?: string; expected?: string } = {},
): Promise<number> {
  const { PATH, HOME } = process.env;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: home && path.dirname(home),
    env: { PATH, HOME, TOOLPOST_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (status) => {
      const tookMs = performance.now() - startedAt;
      if (status === 0 && output.includes(expected)) resolve(tookMs);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${status}: ${output}`));
    });
  });
}
