import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { nodeVersion } from './node-versions.ts';

const run = promisify(execFile);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PACKAGES = ['protocol', 'sdk', 'host', 'cli'];
const OLD = '20.19.5';
const OLDEST_SUPPORTED = '22.18.0';

const dir = mkdtempSync(path.join(tmpdir(), 'toolpost packed '));
const home = path.join(dir, 'home');
const installed = path.join(dir, 'project');
const command = path.join(installed, 'node_modules/toolpost/bin/toolpost.js');
let notInstalled = '';

beforeAll(async () => {
  expect(existsSync(path.join(root, 'packages/cli/dist/main.js')), 'run "npm run build" first').toBe(true);
  mkdirSync(installed);
  mkdirSync(home);
  const folders = PACKAGES.map((name) => path.join(root, 'packages', name));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', dir, ...folders], { cwd: dir });
  const tarballs = readdirSync(dir).filter((file) => file.endsWith('.tgz'));
  expect(tarballs).toHaveLength(PACKAGES.length);
  writeFileSync(path.join(installed, 'package.json'), '{"private":true}');
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', [...args, ...tarballs.map((file) => path.join(dir, file))], { cwd: installed }).catch((error) => {
    if (!/E(AI_AGAIN|NOTFOUND|CONNREFUSED|TIMEDOUT|NOTCACHED)/.test(error.message)) throw error;
    notInstalled = `the npm registry cannot be reached: ${error.message.split('\n')[1]}`;
  });
}, 120_000);

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The program of a Node version, or a skip that says why there is none. */
async function need(context: TestContext, version: string): Promise<string> {
  if (notInstalled) return context.skip(notInstalled);
  if (version === process.versions.node) return process.execPath;
  return nodeVersion(version).catch((error: Error) => context.skip(error.message));
}

/** Runs a program of the installed project as a user would: nothing of the repository is in its environment. */
async function runInstalled(node: string, args: string[], input: string[] = []) {
  const env = { PATH: `${path.dirname(node)}:/usr/bin:/bin`, HOME: home };
  const running = run(node, args, { cwd: installed, env, timeout: 30_000 });
  running.child.stdin?.end(input.join(''));
  const done = await running.catch((error) => error);
  return { status: done.code ?? 0, stdout: done.stdout as string, stderr: done.stderr as string };
}

/** A plugin outside of the project, in a folder whose name has to be escaped in a URL. */
function writePlugin(): string {
  const plugin = path.join(dir, 'a folder #1 100%', 'elsewhere');
  mkdirSync(path.join(plugin, 'lib'), { recursive: true });
  const manifest = { id: 'elsewhere', name: 'Elsewhere', version: '1.0.0', permissions: ['tools.register'] };
  writeFileSync(path.join(plugin, 'plugin.json'), JSON.stringify(manifest));
  writeFileSync(path.join(plugin, 'package.json'), '{"name":"without-type"}');
  writeFileSync(
    path.join(plugin, 'index.ts'),
    `import { defineTool } from '@toolpost/sdk';
     import { input } from './lib/input.ts';
     const execute = ({ name }: { name: string }) => 'Hello, ' + name;
     export default defineTool({ name: 'greet', description: 'Greets.', inputSchema: input, execute });`,
  );
  writeFileSync(
    path.join(plugin, 'lib/input.ts'),
    "import { z } from 'zod';\nexport const input = z.object({ name: z.string() });",
  );
  return plugin;
}

describe('the packed packages, installed into an empty folder', () => {
  it('carry what they name and nothing that only the repository needs', () => {
    const files = readdirSync(path.join(installed, 'node_modules/toolpost'), { recursive: true }).map(String);
    for (const file of ['bin/toolpost.js', 'dist/main.js', 'dist/sdk.js', 'dist/zod.js']) expect(files).toContain(file);
    for (const file of ['dist/web/index.html', 'dist/web/icon.svg']) expect(files).toContain(file);
    expect(files.some((file) => /^dist\/web\/assets\/index-[\w-]+\.js$/.test(file))).toBe(true);
    for (const file of ['README.md', 'dist/config.schema.json', 'dist/plugin.schema.json'])
      expect(files).toContain(file);
    // Licences ask that their texts come along with what is bundled.
    const notices = readFileSync(path.join(installed, 'node_modules/toolpost/dist/third-party-notices.txt'), 'utf8');
    for (const name of ['commander', 'ink', 'react', 'sucrase', 'zod']) expect(notices).toMatch(`\n${name} `);
    expect(files).toContain('dist/web/third-party-notices.txt');
    expect(files.filter((file) => /\.(test\.ts|tsbuildinfo|pyc)$|__pycache__|build-stamp|^src/.test(file))).toEqual([]);
  });

  it('refuse an old Node with one line and status 2', async (context) => {
    const node = await need(context, OLD);
    const { status, stdout, stderr } = await runInstalled(node, [command, '--version']);
    expect(stderr).toMatch(/^toolpost: this is Node 20\.19\.5, and it needs Node >= 22\.18: .*\n$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  describe.for([OLDEST_SUPPORTED, process.versions.node])('on Node %s', (version) => {
    it('give the command its version', async (context) => {
      const node = await need(context, version);
      const wanted = JSON.parse(readFileSync(path.join(root, 'packages/cli/package.json'), 'utf8')).version;
      const done = await runInstalled(node, [command, '--version']);
      expect(done).toEqual({ status: 0, stdout: `${wanted}\n`, stderr: '' });
    });

    it('are importable under their names', async (context) => {
      const node = await need(context, version);
      const code = "await Promise.all(['protocol', 'sdk', 'host'].map((name) => import('@toolpost/' + name)))";
      const done = await runInstalled(node, ['--input-type=module', '-e', code]);
      expect(done).toEqual({ status: 0, stdout: '', stderr: '' });
    });

    it('call a tool of a plugin anywhere on the disk, and one of a bundled Python plugin', async (context) => {
      const node = await need(context, version);
      const native = await runInstalled(node, [command, 'call', 'greet', '--plugins', writePlugin(), 'name=Bob']);
      expect(native).toEqual({ status: 0, stdout: 'Hello, Bob\n', stderr: '' });
      const python = await runInstalled(node, [command, 'call', 'demo_word_count', 'text=one two']);
      if (python.stderr.includes('python3')) context.skip('there is no python3 on this machine');
      expect(python).toMatchObject({ status: 0, stderr: '' });
    });

    it('start each bundled native plugin, though it lies in a node_modules folder now', async (context) => {
      const node = await need(context, version);
      const plugins = path.join(installed, 'node_modules/toolpost/plugins');
      const program = path.join(installed, 'node_modules/toolpost/dist/serve-plugin.js');
      const native = readdirSync(plugins).filter((name) => {
        const { runtime = 'native' } = JSON.parse(readFileSync(path.join(plugins, name, 'plugin.json'), 'utf8'));
        return runtime === 'native';
      });
      for (const name of native) {
        const activate = JSON.stringify({ method: 'activate', params: { pluginId: name } });
        const { stdout, stderr } = await runInstalled(node, [program, path.join(plugins, name)], [`${activate}\n`]);
        expect(stderr).toBe('');
        expect(JSON.parse(stdout).tools).not.toEqual([]);
      }
    });

    it.for(['@toolpost/host/dist/runtimes/native', 'toolpost/dist'])(
      'give a plugin anywhere on the disk the SDK and zod of %s',
      async (place, context) => {
        const node = await need(context, version);
        const program = path.join(installed, 'node_modules', place, 'serve-plugin.js');
        const requests = [
          { method: 'activate', params: { pluginId: 'elsewhere' } },
          { method: 'execute_tool', params: { toolName: 'greet', input: '{"name":"Bob"}' } },
        ];
        const done = await runInstalled(
          node,
          [program, writePlugin()],
          requests.map((one) => `${JSON.stringify(one)}\n`),
        );
        expect(done).toMatchObject({ status: 0, stderr: '' });
        const [activated, called] = done.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect(activated.tools).toMatchObject([
          { name: 'greet', inputSchema: { properties: { name: { type: 'string' } } } },
        ]);
        expect(called).toMatchObject({ result: 'Hello, Bob' });
      },
    );
  });
});
