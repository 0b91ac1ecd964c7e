import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildComponent } from '../src/build-component/build-component.ts';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { createNativeRuntime } from '../src/runtimes/native/native-runtime.ts';
import type { DiscoveredPlugin, Runtime } from '../src/runtimes/runtime.ts';
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

  it('skips only what the suite has', () => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(reasons).filter((title) => !titles.has(title))).toEqual([]);
  });
});
