import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject, Manifest } from '@toolpost/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { type DiscoveredPlugin, type LoadedPlugin, PluginCrash, type RuntimeContext } from '../runtime.ts';
import { createTestCallContext } from '../test-contexts.ts';
import { findEntry } from './find-entry.ts';
import { createNativeRuntime } from './native-runtime.ts';
import { defaultPluginModules } from './plugin-modules.ts';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolpost native ')));
let folders = 0;

afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Loading {
  plugin: DiscoveredPlugin;
  logged: string[];
  loaded: Promise<LoadedPlugin>;
}

function load(source: string, manifest: Partial<Manifest> = {}, given: Partial<RuntimeContext> = {}): Loading {
  folders += 1;
  const dir = path.join(base, `p${folders}`);
  mkdirSync(dir);
  writeFileSync(path.join(dir, 'index.ts'), source);
  const plugin: DiscoveredPlugin = {
    id: 'sample',
    dir,
    origin: 'flag',
    manifest: {
      id: 'sample',
      name: 'Sample',
      version: '1.0.0',
      description: '',
      runtime: 'native',
      args: [],
      activationEvents: ['onStart'],
      permissions: ['tools.register', 'hooks.subscribe'],
      dependencies: [],
      timeoutMs: 30_000,
      startTimeoutMs: 30_000,
      env: [],
      failClosed: false,
      contributes: { tools: [], hooks: [] },
      ...manifest,
    },
  };
  const logged: string[] = [];
  const context: RuntimeContext = {
    homeDir: base,
    pluginModules: defaultPluginModules(),
    pythonDir: '',
    grants: { hosts: [], spawn: false },
    hostEnvironment: {},
    settings: {},
    log: (message) => logged.push(message),
    onStateChange: () => {},
    ...given,
  };
  return { plugin, logged, loaded: createNativeRuntime().load(plugin, context) };
}

async function call(plugin: LoadedPlugin, name: string, input: JsonObject = {}): Promise<unknown> {
  const tool = plugin.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name} among ${plugin.tools.map((one) => one.name)}`);
  return plugin.execute(tool, input, createTestCallContext(input, { roots: [base] }));
}

async function errorOf(loading: Loading): Promise<{ code?: string; message: string }> {
  const outcome = await loading.loaded.catch((error: Error) => error);
  if (!(outcome instanceof Error)) throw new Error('it was loaded');
  return outcome;
}

const GREET = `
  import { defineTool } from '@toolpost/sdk';
  import { z } from 'zod';
  const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    inputSchema: z.object({ name: z.string().default('World') }),
    execute: ({ name }) => 'Hello, ' + name,
  });
  const wave = defineTool({ name: 'wave', description: 'Waves.', execute: () => 'o/' });
`;

describe('the tools of a module', () => {
  it.each([
    ['named exports', 'export { greet, wave };'],
    ['a default export and a named one', 'export default greet; export { wave };'],
    ['a list', 'export default [greet, wave];'],
    ['one tool exported twice', 'export default greet; export { greet, wave };'],
    [
      'a plugin',
      "import { definePlugin } from '@toolpost/sdk'; export default definePlugin({ tools: [greet, wave] });",
    ],
    ['a module that awaits', 'await 0; export { greet, wave };'],
  ])('are found in %s', async (_title, exports) => {
    const plugin = await load(`${GREET}\n${exports}`).loaded;
    expect(plugin.tools.map(({ name }) => name)).toEqual(['greet', 'wave']);
    expect(await call(plugin, 'greet', { name: 'Bob' })).toBe('Hello, Bob');
    expect(await call(plugin, 'greet')).toBe('Hello, World');
  });

  it("take an AI SDK tool's name from its export", async () => {
    const plugin = await load(
      `export const weather = { description: 'Tells.', inputSchema: { type: 'object' }, execute: () => 'sun' };`,
    ).loaded;
    expect(plugin.tools).toMatchObject([{ name: 'weather', description: 'Tells.' }]);
    expect(await call(plugin, 'weather')).toBe('sun');
  });

  it('have definitions without functions, as they cross to models and clients', async () => {
    const plugin = await load(`${GREET} export { wave };`).loaded;
    expect(structuredClone(plugin.tools)).toEqual(plugin.tools);
  });

  it.each([
    ['nothing', 'export const x: number = 1;', /exports no tool \("x" is a number\): export what defineTool/],
    ['no export', '', /exports no tool \(it exports nothing\)/],
    ['a promise', 'export default Promise.resolve();', /"default" is a promise: await it/],
    ['a bad tool', 'export const t = { execute() {}, inputSchema: 5 };', /exports a wrong tool as "t": .*inputSchema/],
    [
      'a stray list item',
      `${GREET} export const all = [greet, 'x'];`,
      /exports a wrong tool as "all\[1\]": it is a string/,
    ],
  ])('are missed with a reason in %s', async (_title, source, message) => {
    const loading = load(source);
    const error = await errorOf(loading);
    expect(error.code).toBe('PLUGIN_LOAD_FAILED');
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path.join(loading.plugin.dir, 'index.ts'));
  });

  it('are refused when two have one name', async () => {
    const error = await errorOf(load(`${GREET} export { greet }; export const again = { ...wave, name: 'greet' };`));
    expect(error).toMatchObject({
      code: 'TOOL_NAME_TAKEN',
      message: expect.stringContaining('two tools named "greet"'),
    });
  });
});

describe('the module of a plugin', () => {
  it("is the manifest's entry", async () => {
    const loading = load('export {};', { entry: 'lib/tools.ts' });
    expect((await errorOf(loading)).message).toContain('"entry" in its plugin.json names lib/tools.ts');
  });

  it('is looked for under three names, which the error lists', () => {
    const dir = mkdtempSync(path.join(base, 'empty-'));
    expect(() => findEntry(dir, undefined, 'sample')).toThrow(`${dir} has none of index.ts, index.js, index.mjs`);
    writeFileSync(path.join(dir, 'index.mjs'), '');
    expect(findEntry(dir, undefined, 'sample')).toBe(path.join(dir, 'index.mjs'));
  });
});

describe('the life of a plugin', () => {
  const LIFE = `
    import { appendFileSync } from 'node:fs';
    import { definePlugin, defineTool } from '@toolpost/sdk';
    const mark = (text: string) => appendFileSync(new URL('marks', import.meta.url), text + ' ');
  `;

  it('registers in activate, with its settings and its log, and ends once by close', async () => {
    const {
      plugin: found,
      loaded,
      logged,
    } = load(
      `${LIFE} export default definePlugin({
        activate(context) {
          context.log('hello from ' + context.pluginId);
          context.registerTool(defineTool({ name: 'city', description: '', execute: () => context.settings.city }));
        },
        deactivate() { mark('ended'); },
      });`,
      {},
      { settings: { city: 'Bonn' } },
    );
    const plugin = await loaded;
    expect(await call(plugin, 'city')).toBe('Bonn');
    expect(logged).toEqual(['hello from sample']);
    expect(plugin.isReady).toBe(true);
    await Promise.all([plugin.close(), plugin.close()]);
    expect(readFileSync(path.join(found.dir, 'marks'), 'utf8')).toBe('ended ');
    expect(plugin.isReady).toBe(false);
    await expect(plugin.ready()).rejects.toThrow('plugin "sample" was closed');
    await expect(call(plugin, 'city')).rejects.toBeInstanceOf(PluginCrash);
  });

  it('logs a deactivate that fails, and closes all the same', async () => {
    const { loaded, logged } = load(
      `${LIFE} export default definePlugin({ deactivate() { throw new Error('stuck'); } });`,
    );
    await (await loaded).close();
    expect(logged).toEqual(['deactivate failed: stuck']);
  });

  it('fails when activate throws, naming the module', async () => {
    const loading = load(`${LIFE} export default definePlugin({ activate() { throw new Error('no database'); } });`);
    const { code, message } = await errorOf(loading);
    expect(code).toBe('PLUGIN_LOAD_FAILED');
    expect(message).toBe(`sample: ${loading.plugin.dir}/index.ts could not be activated: no database`);
  });

  it('fails when it lacks the permission for what it registers', async () => {
    const loading = load(`${GREET} export { greet };`, { permissions: [] });
    expect((await errorOf(loading)).message).toContain('lacks the permission "tools.register"');
  });

  it('is not waited for longer than its start timeout, and undone when it comes late', async () => {
    const loading = load(
      `${LIFE} import { setTimeout as wait } from 'node:timers/promises';
      export default definePlugin({ activate: () => wait(200), deactivate: () => mark('undone') });`,
      { startTimeoutMs: 50 },
    );
    const { code, message } = await errorOf(loading);
    expect({ code, message }).toEqual({
      code: 'PLUGIN_LOAD_FAILED',
      message: 'sample: it was not ready within its startTimeout of 50 ms',
    });
    await expect.poll(() => existsSync(path.join(loading.plugin.dir, 'marks'))).toBe(true);
  });

  it('is not waited for when the host closes, and undone when it comes late', async () => {
    const closing = new AbortController();
    const loading = load(
      `${LIFE} import { existsSync } from 'node:fs';
      const go = new URL('go', import.meta.url);
      export default definePlugin({
        async activate() { mark('began'); while (!existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 5)); },
        deactivate: () => mark('undone') });`,
      {},
      { closing: closing.signal },
    );
    const marks = path.join(loading.plugin.dir, 'marks');
    await expect.poll(() => existsSync(marks)).toBe(true);
    closing.abort();
    expect((await errorOf(loading)).message).toBe('sample: the host is closing');
    writeFileSync(path.join(loading.plugin.dir, 'go'), '');
    await expect.poll(() => readFileSync(marks, 'utf8')).toBe('began undone ');
  });

  it('runs its hooks', async () => {
    const { loaded } = load(
      `${LIFE} export default definePlugin({ hooks: [{ event: 'PreToolUse', matcher: 'rm*', failClosed: true,
        handler: ({ toolName }) => ({ decision: 'deny', message: toolName + ' is forbidden' }) }] });`,
    );
    const plugin = await loaded;
    expect(plugin.hooks).toEqual([{ event: 'PreToolUse', matcher: 'rm*', failClosed: true }]);
    const session = { id: 's', channel: 'cli', chatId: 's', tenant: '', user: '' };
    const event = { event: 'PreToolUse', toolName: 'rm_all', toolInput: '{}', session };
    const { signal } = new AbortController();
    expect(await plugin.runHook(event, signal)).toEqual({ decision: 'deny', message: 'rm_all is forbidden' });
    expect(await plugin.runHook({ ...event, toolName: 'ls' }, signal)).toEqual({ decision: 'allow' });
  });
});
