import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Manifest, parseManifest } from '@toolpost/protocol';
import { defaultPluginModules } from '../src/runtimes/native/plugin-modules.ts';
import { servePluginPath } from '../src/runtimes/native/serve-plugin-path.ts';
import type { DiscoveredPlugin, LoadedPlugin, Runtime, RuntimeContext } from '../src/runtimes/runtime.ts';
import { createStdioRuntime } from '../src/runtimes/stdio/stdio-runtime.ts';
import { createTestRuntimeContext, type TestRuntimeContext } from '../src/runtimes/test-contexts.ts';

const PLUGINS_DIR = fileURLToPath(new URL('../test-plugins', import.meta.url));

/** A plugin of `test-plugins/` as discovery would give it, with changes to its manifest. */
export function testPlugin(id: string, changes: Partial<Manifest> = {}): DiscoveredPlugin {
  const dir = join(PLUGINS_DIR, id);
  const { manifest } = parseManifest(JSON.parse(readFileSync(join(dir, 'plugin.json'), 'utf8')));
  return { id, dir, origin: 'flag', manifest: { ...manifest, ...changes } };
}

export interface LoadedTestPlugin {
  plugin: LoadedPlugin;
  context: TestRuntimeContext;
  dir: string;
  loadAgain(closing: AbortSignal): Promise<LoadedPlugin>;
}

/** Loads a plugin of `test-plugins/` in the stdio runtime, with a home directory of its own. */
export function loadTestPlugin(
  id: string,
  changes: Partial<Manifest> = {},
  given: Partial<RuntimeContext> = {},
): Promise<LoadedTestPlugin> {
  return loadIn(createStdioRuntime({ serveNativePath: servePluginPath() }), testPlugin(id, changes), given);
}

/** Loads a plugin in any runtime. */
export async function loadIn(
  runtime: Runtime,
  discovered: DiscoveredPlugin,
  given: Partial<RuntimeContext> = {},
): Promise<LoadedTestPlugin> {
  const dir = newDir();
  const context = createTestRuntimeContext(join(dir, 'home'), { pluginModules: defaultPluginModules(), ...given });
  const loadAgain = (closing: AbortSignal) => runtime.load(discovered, { ...context, closing });
  return { plugin: await runtime.load(discovered, context), context, dir, loadAgain };
}

export function newDir(): string {
  return mkdtempSync(join(tmpdir(), 'toolpost-test-'));
}
