import { HostError } from '@toolpost/protocol';
import { mayBeChannel } from './may-be-channel.ts';
import type { McpRuntimeOptions } from './mcp/mcp-runtime.ts';
import { createNativeRuntime } from './native/native-runtime.ts';
import { servePluginPath } from './native/serve-plugin-path.ts';
import type { DiscoveredPlugin, Runtime } from './runtime.ts';

/** The one place that asks which runtime a plugin has. */
export type ChooseRuntime = (plugin: DiscoveredPlugin) => Runtime;

export function createRuntimes(options: McpRuntimeOptions): ChooseRuntime {
  const native = createNativeRuntime();
  const loadStdio = loadedWhenUsed(async () => {
    const { createStdioRuntime } = await import('./stdio/stdio-runtime.ts');
    return createStdioRuntime({ serveNativePath: servePluginPath() });
  });
  const loadChannel = loadedWhenUsed(async () => {
    const [{ createChannelRuntime }, { createProcessLoader }] = await Promise.all([
      import('./channel/channel-runtime.ts'),
      import('./stdio/stdio-runtime.ts'),
    ]);
    return createChannelRuntime(createProcessLoader({ serveNativePath: servePluginPath() }));
  });
  // Those of their tools that have one say so.
  const stdio: Runtime = { ...loadStdio, hasPreviews: true };
  const channel: Runtime = { ...loadChannel, hasPreviews: true };
  const loadWasm = loadedWhenUsed(async () => (await import('./wasm/wasm-runtime.ts')).createWasmRuntime());
  // No instance of a component serves two tenants.
  const wasm: Runtime = { ...loadWasm, separatesTenants: true };
  const mcp = loadedWhenUsed(async () => (await import('./mcp/mcp-runtime.ts')).createMcpRuntime(options));
  return (plugin) => {
    const { runtime } = plugin.manifest;
    // A project's TypeScript runs in a process of its own, never in the host's (design section 5).
    if (runtime === 'native') return plugin.origin === 'project' ? stdio : native;
    if (runtime === 'wasm') return wasm;
    if (runtime === 'mcp') return mcp;
    if (mayBeChannel(plugin.manifest)) return channel;
    if (runtime === 'stdio' || runtime === 'script') return stdio;
    return unavailable(runtime);
  };
}

function unavailable(runtime: string): Runtime {
  return {
    async load({ id }) {
      const message = `${id}: this version of Toolpost does not run plugins of runtime "${runtime}"; it runs native, stdio and wasm`;
      throw new HostError('PLUGIN_LOAD_FAILED', message, { pluginId: id });
    },
  };
}

/** A command that needs no process does not load what starts one. */
function loadedWhenUsed(create: () => Promise<Runtime>): Runtime {
  let runtime: Promise<Runtime> | undefined;
  return {
    async load(plugin, context) {
      runtime ??= create();
      return (await runtime).load(plugin, context);
    },
  };
}
