import { join } from 'node:path';
import type { JsonObject, ToolDefinition, ToolResult } from '@toolpost/protocol';
import { errorMessage, newToolError, toToolResult } from '@toolpost/sdk';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildComponent } from '../src/build-component/build-component.ts';
import { createHost } from '../src/host.ts';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { createNativeRuntime } from '../src/runtimes/native/native-runtime.ts';
import type { DiscoveredPlugin, Runtime } from '../src/runtimes/runtime.ts';
import { createTestCallContext } from '../src/runtimes/test-contexts.ts';
import { createWasmRuntime } from '../src/runtimes/wasm/wasm-runtime.ts';
import { type LoadedTestPlugin, loadIn, loadTestPlugin, newDir, testPlugin } from './load-test-plugin.ts';

const SOURCE = 'conformance-component';
const SETTINGS = { settings: { unit: 'C' } };

const TOOLS_ALONE = 'its source has tools alone, as a component has';
const NO_PROCESSES = 'its tools start no processes of their own';
const NO_EXIT = 'it cannot exit: JavaScript in a component has no process';
const NO_IDS = 'a tool of the TypeScript SDK names no calls by their ids';

/** What the source has not, wherever it runs; other subjects of the suite have it. */
const OF_THE_SOURCE: Record<string, string> = {
  'ends a call as crashed when the plugin exits, with status and last words': NO_EXIT,
  'reports a crash, and starts the plugin again when it is next needed': NO_EXIT,
  'refuses storage in the name of a call that is not in flight': NO_IDS,
  'offers its hooks, and lets one allow': TOOLS_ALONE,
  'lets a hook deny with its reason': TOOLS_ALONE,
  'lets a hook rewrite the arguments': TOOLS_ALONE,
  'gives the texts of its enrichers, for the session that asks': TOOLS_ALONE,
  'leaves no process behind when it is closed, also none that left its group': NO_PROCESSES,
  'leaves no process behind when it crashes': NO_PROCESSES,
};

/** One home for all loads: the component is transpiled once. */
const home = { homeDir: newDir() };
const built: { plugin?: DiscoveredPlugin } = {};

beforeAll(async () => {
  const { manifest } = testPlugin(SOURCE);
  const { dir } = await buildComponent(testPlugin(SOURCE).dir, { outDir: join(newDir(), SOURCE) });
  const changes = { runtime: 'wasm', entry: `${SOURCE}.wasm` } as const;
  built.plugin = { id: SOURCE, dir, origin: 'flag', manifest: { ...manifest, ...changes } };
}, 60_000);

/** What `details.ts` of the source gives, wherever it runs. */
const DETAILS: { name: string; result: unknown }[] = [
  {
    name: 'files',
    result: JSON.stringify({
      size: 10_010,
      isFile: true,
      listed: [{ name: 'b', isFile: false, isDirectory: true }],
      text: 10_007,
      bytes: [0, 255, 128],
      there: [true, false, false],
      errors: [
        'cannot read none: it does not exist',
        'cannot remove a: the directory is not empty',
        'cannot list a/d.txt: a part of its path is no directory',
        'cannot make the directory a: it exists already',
      ],
      left: false,
    }),
  },
  { name: 'order', result: 'now job promise soon late' },
  {
    name: 'iteration',
    result: JSON.stringify({
      found: [1, 2, 3],
      all: ['a', 'b', 'c'],
      settled: ['rejected', 'fulfilled'],
      first: 'fast',
    }),
  },
  { name: 'signals', result: JSON.stringify({ heard: 1, aborted: true, reason: 'enough' }) },
  {
    name: 'platform',
    result: JSON.stringify({
      bytes: [195, 169, 240, 159, 152, 128],
      text: 'é😀',
      copy: [0, 1],
      uuid: true,
      random: true,
    }),
  },
  {
    name: 'built',
    result: { content: 'built', structuredContent: { n: 1 }, metadata: { kind: 'note' } },
  },
  {
    name: 'media',
    result: {
      content: [
        { type: 'image', data: 'AP+A', mimeType: 'image/png' },
        { type: 'audio', data: '', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'note:1', mimeType: 'text/plain', text: 'one' } },
        { type: 'resource', resource: { uri: 'note:2', blob: 'AP8=' } },
        { type: 'resource_link', uri: 'note:3', name: 'three', title: 'Three' },
      ],
    },
  },
  {
    name: 'stores',
    result: JSON.stringify({
      own: [['a/1', 'a/2'], { own: true }],
      shared: [['a/1'], ['shared', '😀'], null],
    }),
  },
  { name: 'throws', result: newToolError('only a text') },
];

const DESCRIBED: ToolDefinition = {
  name: 'described',
  title: 'Described',
  description: 'Has all that a definition may have.',
  inputSchema: {
    type: 'object',
    properties: { file: { type: 'string', description: 'A file' } },
    required: ['file'],
  },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } } },
  annotations: { title: 'Described', readOnlyHint: true, openWorldHint: false },
  primaryArg: 'file',
  ui: { mode: 'genui', param: 'code', libs: ['react'], surface: 'panel' },
  channels: ['web', 'cli'],
  timeoutMs: 1500,
  concurrency: 'serial',
};

interface Subject {
  name: string;
  load(): Promise<LoadedTestPlugin>;
  skips: Record<string, string>;
}

const SUBJECTS: Subject[] = [
  {
    name: 'native',
    load: () => loadWith(createNativeRuntime(), testPlugin(SOURCE)),
    skips: {
      'settles the calls in flight when it is closed, and takes no more':
        'a call in the process of the host ends by itself or by its abort',
    },
  },
  { name: 'native, served over stdio', load: () => loadTestPlugin(SOURCE, {}, SETTINGS), skips: {} },
  {
    name: 'wasm, built from the same source',
    async load() {
      if (!built.plugin) throw new Error('it was not built');
      return loadWith(createWasmRuntime(), built.plugin);
    },
    skips: { 'runs calls at the same time': 'a session has one instance, which runs one call at a time' },
  },
];

function loadWith(runtime: Runtime, plugin: DiscoveredPlugin): Promise<LoadedTestPlugin> {
  return loadIn(runtime, plugin, { ...SETTINGS, ...home });
}

describe.each(SUBJECTS)('$name', ({ load, skips }) => {
  let loaded: LoadedTestPlugin | undefined;
  const reasons = { ...OF_THE_SOURCE, ...skips };

  afterEach(async () => {
    await loaded?.plugin.close();
    loaded = undefined;
  });

  for (const { title, run } of CONFORMANCE) {
    it(title, async (test) => {
      test.skip(reasons[title] !== undefined, reasons[title]);
      loaded = await load();
      await run(loaded);
    });
  }

  it.each(DETAILS)('does $name as everywhere', async ({ name, result }) => {
    loaded = await load();
    expect(await detail(loaded, name)).toEqual(toToolResult(result));
  });

  it('tells all that a definition may have', async () => {
    loaded = await load();
    expect(loaded.plugin.tools.find(({ name }) => name === 'described')).toEqual(DESCRIBED);
  });

  it('refuses what its schema adds to the JSON Schema', async () => {
    loaded = await load();
    const refused = await callTool(loaded, 'echo', { text: 1 });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain('invalid input: text: Invalid input: expected string');
  });

  it('names the roots when a path lies outside', async () => {
    loaded = await load();
    const text = `../elsewhere.txt is outside the directories that the session grants: ${loaded.dir}`;
    expect(await detail(loaded, 'outside')).toEqual(toToolResult(text));
  });

  it('skips only what the suite has', () => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(reasons).filter((title) => !titles.has(title))).toEqual([]);
  });
});

describe('a component', () => {
  const loads: LoadedTestPlugin[] = [];
  const load = async (): Promise<LoadedTestPlugin> => {
    if (!built.plugin) throw new Error('it was not built');
    const loaded = await loadWith(createWasmRuntime(), built.plugin);
    loads.push(loaded);
    return loaded;
  };

  afterEach(async () => {
    await Promise.all(loads.splice(0).map(({ plugin }) => plugin.close()));
  });

  it('logs with a level, console too', async () => {
    const loaded = await load();
    await detail(loaded, 'logs');
    expect(loaded.context.logged).toEqual([
      { level: 'warn', message: 'from console {"n":1}' },
      { level: 'error', message: 'from context' },
    ]);
  });

  it('draws by blocks, which the host reads as those of any other plugin', async () => {
    if (!built.plugin) throw new Error('it was not built');
    const host = await createHost({
      ...{ pluginDirs: [built.plugin.dir], yes: true, roots: [newDir()] },
      environment: { ...process.env, TOOLPOST_HOME: home.homeDir },
    });
    const call = { id: 'c', name: 'detail_blocks', arguments: '{}' };
    const session = host.openSession();
    expect((await host.listTools(session)).find(call.name)?.plugin.runtime).toBe('wasm');
    const { text, metadata } = await host.callTool(call, session).finally(() => host.close());
    expect(metadata?.blocks).toMatchObject([
      {
        type: 'table',
        columns: [{ label: 'city' }, { label: 'n' }],
        rows: [
          ['Zoë 😀', 3],
          ['Rome', 1],
        ],
      },
      { type: 'chart', kind: 'line', series: [{ values: [1, null] }] },
      { type: 'diff', patch: expect.stringContaining('+b') },
    ]);
    expect(text).toContain('two cities\n\n| city | n |\n| --- | --- |\n| Zoë 😀 | 3 |');
  });

  it('has other random numbers in each instance', async () => {
    const [first, second] = [await detail(await load(), 'random'), await detail(await load(), 'random')];
    expect(first).not.toEqual(second);
  });

  it('fails a spawn that the policy denies, and names the setting', async () => {
    const { content, isError } = await detail(await load(), 'spawn');
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain(`toolPolicy.${SOURCE}.spawn`);
  });
});

/** Calls a tool as the call path does: whatever comes back is settled. */
async function callTool({ plugin, dir }: LoadedTestPlugin, name: string, input: JsonObject): Promise<ToolResult> {
  const tool = plugin.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  try {
    return toToolResult(await plugin.execute(tool, input, createTestCallContext(input, { roots: [dir] })));
  } catch (error) {
    return newToolError(errorMessage(error));
  }
}

function detail(loaded: LoadedTestPlugin, name: string): Promise<ToolResult> {
  return callTool(loaded, `detail_${name}`, {});
}
