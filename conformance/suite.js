// MCP's conformance suite as a program: installed when it is missing, and run under the pinned Node.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode, root, say } from '../scripts/repository.js';

export const here = path.join(root, 'conformance');
const suite = path.join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Returns whether the suite is there. */
export function install() {
  if (existsSync(suite)) return true;
  say('conformance: installing the suite (npm ci)');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  return (
    spawnSync('npm', args, { cwd: here, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }).status === 0
  );
}

/** Resolves to its exit status. */
export async function runSuite(args, cwd) {
  const child = spawn(pinnedNode, [suite, ...args], { cwd, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  return status;
}
