import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testPlugin } from '../../../test/load-test-plugin.ts';
import type { DiscoveredPlugin } from '../runtime.ts';
import { createTestRuntimeContext } from '../test-contexts.ts';
import { resolveLaunch } from './launch.ts';

const host = { PATH: '/bin', OPENAI_API_KEY: 'secret', WANTED: 'x' };
const context = createTestRuntimeContext('/home', { hostEnvironment: host, pythonDir: '/python' });
const launch = (plugin: DiscoveredPlugin) => resolveLaunch(plugin, context, { serveNativePath: '/serve.js' });

it('runs an executable with its arguments as they are, in the folder of the plugin', () => {
  const plugin = testPlugin('never-answers', { args: ['a b', '$HOME'], entry: 'ignored' });
  expect(launch(plugin)).toMatchObject({ command: 'sh', args: ['a b', '$HOME'], cwd: plugin.dir });
});

it('finds a relative executable in the folder of the plugin', () => {
  const plugin = testPlugin('never-answers', { executable: './bin/run' });
  expect(launch(plugin).command).toBe(join(plugin.dir, 'bin/run'));
});

it('splits an entry like a shell would, and takes the one of the platform first', () => {
  const entry = 'node "my server.mjs" --flag';
  expect(launch(testPlugin('conformance-v2', { entry }))).toMatchObject({
    command: 'node',
    args: ['my server.mjs', '--flag'],
  });
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const plugin = testPlugin('conformance-v2', { entry, entryByPlatform: { [platform]: 'deno run' } });
  expect(launch(plugin)).toMatchObject({ command: 'deno', args: ['run'] });
});

it('gives the allow-list, the names of the manifest and the Python SDK', () => {
  expect(launch(testPlugin('conformance-v2', { env: ['WANTED'] })).env).toEqual({
    PATH: '/bin',
    WANTED: 'x',
    PYTHONPATH: '/python',
  });
});

it("keeps compiled Python of a project's plugin, which nobody has accepted, out of the way", () => {
  const plugin = testPlugin('conformance-v2');
  expect(launch({ ...plugin, origin: 'project' }).env.PYTHONPYCACHEPREFIX).toMatch(/cache.pycache$/);
  expect(launch(plugin).env.PYTHONPYCACHEPREFIX).toBeUndefined();
});

it('runs a single Python file, and a native plugin in a process of its own', () => {
  const plugin = testPlugin('conformance-v1');
  const file = '/home/tools/greet.py';
  expect(launch({ ...plugin, file })).toMatchObject({ command: 'python3', args: [file] });
  const native = { ...plugin, manifest: { ...plugin.manifest, runtime: 'native' as const } };
  expect(launch(native)).toMatchObject({ command: process.execPath, args: ['/serve.js', plugin.dir] });
  expect(launch({ ...native, file: '/p/tools/x.ts' }).args).toEqual(['/serve.js', '/p/tools/x.ts']);
});
