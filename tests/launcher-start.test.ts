import { execFile } from 'node:child_process';
import { appendFileSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const repositories: string[] = [];

afterEach(() => {
  for (const dir of repositories.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const NPM = `#!/bin/sh
echo "npm $*"
if [ -e offline ]; then echo "npm error network" >&2; exit 9; fi
mkdir -p node_modules/node/bin
ln -sf '${process.execPath}' node_modules/node/bin/node
echo '{"version":"${process.versions.node}"}' > node_modules/node/package.json
cp on-this-system.json node_modules/.package-lock.json
`;

/** Stands for the build: what it makes prints its arguments, and it says something where npm's scripts do. */
const BUILD = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  console.log('building noise');
  mkdirSync('packages/cli/dist', { recursive: true });
  writeFileSync('packages/cli/dist/main.js', 'console.log(JSON.stringify(process.argv.slice(2)))');
`;

/** A repository with the real scripts and launcher, in which nothing is installed or built. */
function createRepository(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'toolpost repository '));
  repositories.push(dir);
  mkdirSync(path.join(dir, 'packages/cli/src'), { recursive: true });
  mkdirSync(path.join(dir, 'bin'));
  cpSync(path.join(root, 'packages/cli/bin'), path.join(dir, 'packages/cli/bin'), { recursive: true });
  mkdirSync(path.join(dir, 'scripts'));
  for (const script of ['start.js', 'set-up.js', 'exclusive.js', 'repository.js'])
    copyFileSync(path.join(root, 'scripts', script), path.join(dir, 'scripts', script));
  writeFileSync(path.join(dir, 'scripts/build.js'), BUILD);
  writeFileSync(path.join(dir, 'bin/npm'), NPM, { mode: 0o755 });
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(dir, 'packages/cli/src/main.ts'), 'export {};');
  writeLock(dir, '1.0.0');
  return dir;
}

function writeLock(dir: string, version: string): void {
  const packages = { 'node_modules/node': { version } };
  const elsewhere = { 'node_modules/for-another-system': { version: '1.0.0', optional: true } };
  writeFileSync(
    path.join(dir, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, ...packages, ...elsewhere } }),
  );
  writeFileSync(path.join(dir, 'on-this-system.json'), JSON.stringify({ packages }));
}

async function start(dir: string, ...args: string[]) {
  const env = { PATH: `${path.join(dir, 'bin')}:/usr/bin:/bin`, HOME: dir, TOOLPOST_HOME: path.join(dir, 'home') };
  const script = path.join(dir, 'scripts/start.js');
  const done = await promisify(execFile)(process.execPath, [script, ...args], { cwd: dir, env }).catch(
    (error) => error,
  );
  return { status: done.code ?? 0, stdout: done.stdout as string, stderr: done.stderr as string };
}

it('installs and builds what is missing, then runs the command, which has standard output for itself', async () => {
  const dir = createRepository();
  const { status, stdout, stderr } = await start(dir, 'call', 'greet', 'name=a b');
  expect({ status, stdout }).toEqual({ status: 0, stdout: '["call","greet","name=a b"]\n' });
  expect(stderr).toContain('npm ci --include=dev');
  expect(stderr).toContain('building noise');
});

it('says nothing when there is nothing to set up, and opens the chat when nothing else is asked for', async () => {
  const dir = createRepository();
  await start(dir);
  expect(await start(dir)).toEqual({ status: 0, stdout: '["chat"]\n', stderr: '' });
});

it('builds again when a source changed, and installs again when the lock file did', async () => {
  const dir = createRepository();
  await start(dir);
  appendFileSync(path.join(dir, 'packages/cli/src/main.ts'), '// changed');
  const changed = await start(dir);
  expect(changed.stderr).toContain('toolpost: building');
  expect(changed.stderr).not.toContain('npm ci');
  writeLock(dir, '2.0.0');
  expect((await start(dir)).stderr).toContain('npm ci');
  expect((await start(dir)).stderr).toBe('');
});

it('sets up once when two start together', async () => {
  const dir = createRepository();
  const both = await Promise.all([start(dir), start(dir)]);
  expect(both.map(({ status, stdout }) => ({ status, stdout }))).toEqual(
    Array(2).fill({ status: 0, stdout: '["chat"]\n' }),
  );
  const installs = both
    .map(({ stderr }) => stderr)
    .join('')
    .match(/npm ci --include/g);
  expect(installs).toHaveLength(1);
});

it('says what a set-up needs when npm fails, and does not start the command', async () => {
  const dir = createRepository();
  writeFileSync(path.join(dir, 'offline'), '');
  const { status, stdout, stderr } = await start(dir);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain('npm error network');
  expect(stderr).toMatch(/npm ci failed \(exit status 9\)\. Setting up needs the npm registry once/);
});

it('does not start a command that could not be built', async () => {
  const dir = createRepository();
  writeFileSync(path.join(dir, 'scripts/build.js'), "console.error('main.ts:3: no'); process.exitCode = 1;");
  const { status, stdout, stderr } = await start(dir);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/main\.ts:3: no\ntoolpost: the build failed: see the lines above\n$/);
});
