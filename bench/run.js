// `npm run bench [-- NAME ... | --check]`: sets up the repository and the peers, then measures under the pinned Node.
// Plain JavaScript for Node >= 20 without packages; standard output belongs to the figures.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode, root, say } from '../scripts/repository.js';
import { setUp } from '../scripts/set-up.js';

const here = path.join(root, 'bench');

if ((await setUp()) && installPeers()) measure();
else process.exitCode = 1;

/** The peers are packages of this folder alone: nobody who only uses or tests Toolpost has to install them. */
function installPeers() {
  if (isInstalled()) return true;
  say('bench: installing the peers (npm ci)');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: here,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) say(`bench: npm ci in ${here} failed: see the lines above, then run the command again`);
  return status === 0;
}

/** npm writes its hidden lock file last: an install that was cut has none. */
function isInstalled() {
  const installed = path.join(here, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const { packages: present } = JSON.parse(readFileSync(installed, 'utf8'));
  const { packages: wanted } = JSON.parse(readFileSync(path.join(here, 'package-lock.json'), 'utf8'));
  return Object.entries(wanted).every(
    ([folder, { version, optional }]) => folder === '' || optional || present[folder]?.version === version,
  );
}

function measure() {
  const PATH = `${path.dirname(pinnedNode)}${path.delimiter}${process.env.PATH ?? ''}`;
  // A peer adds listeners to a stream at every write that has to wait, another one uses Node's WASI, and Node warns of both.
  const quiet = ['MaxListenersExceededWarning', 'ExperimentalWarning'].map((name) => `--disable-warning=${name}`);
  const args = [...quiet, path.join(here, 'main.ts'), ...process.argv.slice(2)];
  const { status } = spawnSync(pinnedNode, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  process.exitCode = status ?? 1;
}
