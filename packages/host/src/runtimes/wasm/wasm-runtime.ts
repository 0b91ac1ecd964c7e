import { join } from 'node:path';
import { HostError, messageOf } from '@toolpost/protocol';
import type { DiscoveredPlugin, Runtime, RuntimeContext } from '../runtime.ts';
import { throwIfClosing } from '../while-open.ts';
import { loadComponent } from './load-component.ts';
import { MIB_IN_PAGES, type ModuleCaps } from './memory-cap.ts';
import { WasmPlugin } from './wasm-plugin.ts';

const DEFAULT_MEMORY_MB = 256;
/** Transpiling happens once for each build of a plugin, and is no fault of its own where several hosts do it at once. */
const TRANSPILE_TIMEOUT_MS = 2 * 60_000;
/** 4 GiB, the most that 32 bits address. */
const MAX_PAGES = 65_536;
/** References of all tables of an instance: some 30 MB at most. */
const MAX_TABLE_ELEMENTS = 1_000_000;

/** The runtime of WebAssembly components: sandboxed, a thread for each instance (design section 4). */
export function createWasmRuntime(): Runtime {
  return {
    async load(plugin, context) {
      try {
        return await open(plugin, context);
      } catch (cause) {
        const reason = messageOf(cause);
        const message = `The plugin ${plugin.id} could not be loaded from ${componentFile(plugin)}: ${reason}`;
        throw new HostError('PLUGIN_LOAD_FAILED', message, { cause, pluginId: plugin.id });
      }
    },
  };
}

async function open(plugin: DiscoveredPlugin, context: RuntimeContext): Promise<WasmPlugin> {
  const caps = capsOf(context);
  const component = await loadComponent({
    file: componentFile(plugin),
    homeDir: context.homeDir,
    caps,
    transpileTimeoutMs: Math.max(plugin.manifest.startTimeoutMs, TRANSPILE_TIMEOUT_MS),
    ...(context.closing && { closing: context.closing }),
  });
  throwIfClosing(context);
  return WasmPlugin.open({ plugin, context, component, caps });
}

function capsOf({ grants }: RuntimeContext): ModuleCaps {
  const memoryPages = Math.min((grants.memoryMb ?? DEFAULT_MEMORY_MB) * MIB_IN_PAGES, MAX_PAGES);
  return { memoryPages, tableElements: MAX_TABLE_ELEMENTS };
}

function componentFile({ file, dir, manifest }: DiscoveredPlugin): string {
  return file ?? join(dir, manifest.entry ?? '');
}
