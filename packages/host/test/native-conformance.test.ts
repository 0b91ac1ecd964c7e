import { afterEach, describe, it } from 'vitest';
import { CONFORMANCE } from '../src/runtimes/conformance.ts';
import { createNativeRuntime } from '../src/runtimes/native/native-runtime.ts';
import { servePluginPath } from '../src/runtimes/native/serve-plugin-path.ts';
import type { LoadedPlugin, Runtime } from '../src/runtimes/runtime.ts';
import { createStdioRuntime } from '../src/runtimes/stdio/stdio-runtime.ts';
import { loadIn, testPlugin } from './load-test-plugin.ts';

const HOST_ENDS = 'what ends the process of a native plugin ends the host';
const OWN_PROCESSES = 'a native plugin is trusted to end the processes that it starts, in deactivate';
const NO_IDS = 'a tool of the TypeScript SDK names no calls by their ids';

const SUBJECTS: { name: string; runtime: Runtime; skips: Record<string, string> }[] = [
  {
    name: 'native',
    runtime: createNativeRuntime(),
    skips: {
      'ends a call as crashed when the plugin exits, with status and last words': HOST_ENDS,
      'reports a crash, and starts the plugin again when it is next needed': HOST_ENDS,
      'leaves no process behind when it crashes': HOST_ENDS,
      'leaves no process behind when it is closed, also none that left its group': OWN_PROCESSES,
      'settles the calls in flight when it is closed, and takes no more':
        'a call in the process of the host ends by itself or by its abort',
      'refuses storage in the name of a call that is not in flight': NO_IDS,
    },
  },
  {
    name: 'native, in a process of its own',
    runtime: createStdioRuntime({ serveNativePath: servePluginPath() }),
    skips: { 'refuses storage in the name of a call that is not in flight': NO_IDS },
  },
];

describe.each(SUBJECTS)('$name', ({ runtime, skips }) => {
  let plugin: LoadedPlugin | undefined;

  afterEach(async () => {
    await plugin?.close();
    plugin = undefined;
  });

  for (const { title, run } of CONFORMANCE) {
    const reason = skips[title];
    it(title, async (test) => {
      test.skip(reason !== undefined, reason);
      const loaded = await loadIn(runtime, testPlugin('conformance-native'), { settings: { unit: 'C' } });
      plugin = loaded.plugin;
      await run(loaded);
    });
  }
});
