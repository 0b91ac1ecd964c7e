import { afterEach, describe, it } from 'vitest';
import { createChannelHub } from '../src/plugin-life/channel-hub.ts';
import { createChannelRuntime } from '../src/runtimes/channel/channel-runtime.ts';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { createNativeRuntime } from '../src/runtimes/native/native-runtime.ts';
import type { LoadedPlugin } from '../src/runtimes/runtime.ts';
import { createProcessLoader } from '../src/runtimes/stdio/stdio-runtime.ts';
import { type LoadedTestPlugin, loadIn, loadTestPlugin, testPlugin } from './load-test-plugin.ts';

interface Subject {
  name: string;
  load(): Promise<LoadedTestPlugin>;
  /** Titles that do not hold, with the reason. */
  skips: Record<string, string>;
}

const NO_STREAM = 'version 1 has one answer a call and nothing before it';
const NO_REQUESTS = 'a version 1 plugin cannot ask the host';
const ONE_CALL = 'version 1 has one call in flight';
const IN_PROCESS = 'an exit would end the host';
const NO_IDS = 'its storage belongs to its context, and it has no ids to name another by';
const TEXT_ONLY = 'a version 1 result is text';

const SUBJECTS: Subject[] = [
  {
    name: 'stdio, version 1',
    load: () => loadTestPlugin('conformance-v1'),
    skips: {
      'carries structured content and metadata': TEXT_ONLY,
      'carries several blocks and the error flag': TEXT_ONLY,
      'streams output of both streams in order': NO_STREAM,
      'reports progress': NO_STREAM,
      'tells the tool when its call is cancelled': 'a version 1 plugin is ended instead',
      'tells the tool when its call is past its deadline': 'a version 1 plugin is ended instead',
      'leaves the neighbours of a given-up call alone': ONE_CALL,
      'runs calls at the same time': ONE_CALL,
      'carries the session and the roots to the tool': 'version 1 sends no context',
      "gives the tool the plugin's settings": NO_REQUESTS,
      "keeps values in the call's storage": NO_REQUESTS,
      "asks the session's user": NO_REQUESTS,
      'refuses storage in the name of a call that is not in flight': NO_REQUESTS,
    },
  },
  {
    name: 'stdio, version 2',
    load: () => loadTestPlugin('conformance-v2', {}, { settings: { unit: 'C' } }),
    skips: {},
  },
  {
    name: 'native, in the process of the host',
    load: () => loadIn(createNativeRuntime(), testPlugin('conformance-native'), { settings: { unit: 'C' } }),
    skips: {
      'ends a call as crashed when the plugin exits, with status and last words': IN_PROCESS,
      'reports a crash, and starts the plugin again when it is next needed': IN_PROCESS,
      'leaves no process behind when it crashes': IN_PROCESS,
      'leaves no process behind when it is closed, also none that left its group':
        'what its code starts is its own to end',
      'settles the calls in flight when it is closed, and takes no more':
        'code in the process cannot be ended from outside',
      'refuses storage in the name of a call that is not in flight': NO_IDS,
    },
  },
  {
    name: 'native of a project, served over stdio',
    load: () => loadTestPlugin('conformance-native', {}, { settings: { unit: 'C' } }),
    skips: { 'refuses storage in the name of a call that is not in flight': NO_IDS },
  },
  {
    name: 'a channel',
    load: loadChannel,
    skips: {
      'reports a crash, and starts the plugin again when it is next needed': 'it is started again without being asked',
    },
  },
];

/** Its tools are those that it declares once it is configured. */
async function loadChannel(): Promise<LoadedTestPlugin> {
  const plugin = testPlugin('conformance-v2', { entry: 'node main.mjs channel', permissions: ['*'] });
  const runtime = createChannelRuntime(createProcessLoader({ serveNativePath: '' }));
  const channels = createChannelHub({ conformance: { enabled: true } }, []);
  const loaded = await loadIn(runtime, plugin, { settings: { unit: 'C' }, channels });
  return { ...loaded, plugin: withChannelTools(loaded.plugin) };
}

function withChannelTools(plugin: LoadedPlugin): LoadedPlugin {
  const tools = plugin.channel?.tools ?? [];
  return new Proxy(plugin, {
    get(target, key) {
      if (key === 'tools') return tools;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe.each(SUBJECTS)('$name', ({ load, skips }) => {
  let loaded: LoadedTestPlugin | undefined;

  afterEach(async () => {
    await loaded?.plugin.close();
    loaded = undefined;
  });

  for (const { title, run } of CONFORMANCE) {
    const reason = skips[title];
    it(title, async (test) => {
      test.skip(reason !== undefined, reason);
      loaded = await load();
      await run(loaded);
    });
  }

  it('skips only what the suite has', ({ expect }) => {
    const titles = new Set(CONFORMANCE.map(({ title }) => title));
    expect(Object.keys(skips).filter((title) => !titles.has(title))).toEqual([]);
  });
});
