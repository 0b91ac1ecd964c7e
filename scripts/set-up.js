// Installs and builds what is missing or out of date, and is quick when nothing is. Plain JavaScript for Node >= 20
// without packages, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exclusive } from './exclusive.js';
import { pinnedNode, root, say } from './repository.js';

const STAMP = path.join(root, 'packages/cli/dist/.build-stamp');
const LOCK = path.join(root, '.cache/set-up.lock');
/** What the build reads, beside each package's `src`. */
const BUILD_INPUTS = [
  ...['plugins', 'python', 'scripts/build.js', 'package-lock.json', 'tsconfig.base.json'],
  ...['packages/web/index.html', 'packages/web/public', 'packages/web/vite.config.ts'],
];

/** @returns {Promise<boolean>} whether everything is installed and built; the reason was said when not. */
export async function setUp() {
  if (isInstalled() && isBuilt()) return true;
  return exclusive(
    LOCK,
    async () => (isInstalled() || (await install())) && (isBuilt() || (await build())),
    () => say('toolpost: waiting for another set-up of this repository to end'),
  );
}

/** Holds node_modules against package-lock.json, as npm recorded it at the end of the last install. */
function isInstalled() {
  const wanted = readJson('package-lock.json');
  const present = readJson('node_modules/.package-lock.json');
  if (!present || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted.packages).every(([folder, { version, link, optional }]) => {
    if (!folder.includes('node_modules/')) return true;
    const found = present.packages[folder];
    if (!found) return Boolean(optional);
    return found.version === version && found.link === link && existsSync(path.join(root, folder));
  });
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  } catch {
    return undefined;
  }
}

async function install() {
  say('toolpost: installing packages (npm ci); the first time takes a minute');
  const status = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  if (status === 0 && !existsSync(pinnedNode)) await npm(['rebuild', 'node', '--ignore-scripts=false']);
  if (status === 0 && existsSync(pinnedNode)) return true;
  const what = status === 0 ? 'npm did not put the pinned Node in place' : `npm ci failed (exit status ${status})`;
  say(`toolpost: ${what}. Setting up needs the npm registry once: see the lines above, then run the command again.`);
  return false;
}

/** npm runs on the machine's own Node: the pinned one is a package that npm may be about to replace. */
function npm(args) {
  const { npm_execpath: cli, npm_node_execpath: node, PATH = '' } = process.env;
  const ownBin = path.join(root, 'node_modules/.bin');
  const env = {
    ...process.env,
    PATH: PATH.split(path.delimiter)
      .filter((dir) => dir !== ownBin)
      .join(path.delimiter),
  };
  if (cli && node && existsSync(cli) && existsSync(node)) return run(node, [cli, ...args], { env });
  return run('npm', args, { env, shell: process.platform === 'win32' });
}

function isBuilt() {
  try {
    return readFileSync(STAMP, 'utf8') === fingerprint() && existsSync(path.join(path.dirname(STAMP), 'main.js'));
  } catch {
    return false;
  }
}

async function build() {
  say('toolpost: building');
  // Taken before the build: a file that changes meanwhile is built again the next time.
  const stamp = fingerprint();
  const status = await run(pinnedNode, [path.join(root, 'scripts/build.js')]);
  if (status === 0) writeFileSync(STAMP, stamp);
  else say('toolpost: the build failed: see the lines above');
  return status === 0;
}

/** Names, times and sizes of the build's inputs: reading their contents would take longer than a start may. */
function fingerprint() {
  const hash = createHash('sha256');
  const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`);
  const inputs = packages.flatMap((dir) => [`${dir}/src`, `${dir}/package.json`, `${dir}/tsconfig.json`]);
  for (const input of [...inputs, ...BUILD_INPUTS])
    for (const file of filesBelow(path.join(root, input))) {
      const { mtimeMs, size } = statSync(file);
      hash.update(`${file}\0${mtimeMs}\0${size}\n`);
    }
  return hash.digest('hex');
}

function filesBelow(start) {
  const stat = statSync(start, { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [start];
  return readdirSync(start, { withFileTypes: true })
    .filter(({ name }) => name !== '__pycache__' && name !== 'node_modules' && !name.endsWith('.test.ts'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(start, entry.name);
      return entry.isDirectory() ? filesBelow(file) : [file];
    });
}

/** Runs a program with its output on our standard error. Resolves with its exit status, 1 when it cannot start. */
function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    child.on('error', (error) => {
      say(`toolpost: ${program} does not start: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (status) => resolve(status ?? 1));
  });
}
