import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readComponent } from './component/read-component.ts';
import { type CachedComponent, type ComponentCache, componentKey, createComponentCache } from './component-cache.ts';
import { worldOf } from './component-world.ts';
import { functionTools } from './functions/function-tools.ts';
import { capModules, type ModuleCaps } from './memory-cap.ts';
import { transpile } from './transpile.ts';
import { TRANSPILER_VERSION } from './transpiler.ts';
import type { SharedModule } from './worker-messages.ts';

/** A JavaScript engine with a program in it is some 15 MB. */
const MAX_COMPONENT_BYTES = 256 * 1024 * 1024;

/** A component that is ready to be instantiated any number of times. */
export interface LoadedComponent extends CachedComponent {
  readonly modules: ReadonlyMap<string, SharedModule>;
  /** Keeps what an instance told, for the next host. */
  keep(declarations: readonly unknown[], codeCache: Uint8Array | undefined): void;
}

export interface LoadComponentOptions {
  readonly file: string;
  readonly homeDir: string;
  readonly caps: ModuleCaps;
  /** Bounds the one long step, which is skipped when the cache knows the component. */
  readonly transpileTimeoutMs: number;
  /** Gives it up. */
  readonly closing?: AbortSignal;
}

/**
 * Reads a component, has it transpiled unless the cache knows it, bounds what its modules may grow to, and compiles each
 * once.
 * @throws Error that says what is wrong with the file.
 */
export async function loadComponent(options: LoadComponentOptions): Promise<LoadedComponent> {
  const bytes = await readComponentFile(options.file);
  const key = componentKey(bytes, TRANSPILER_VERSION);
  const cache = createComponentCache(options.homeDir);
  const cached = cache.get(key) ?? (await transpiled(bytes, key, cache, options));
  return {
    ...cached,
    modules: await compile(cached, options.caps),
    keep: (declarations, codeCache = cached.codeCache) => cache.set(key, { ...cached, declarations, codeCache }),
  };
}

async function readComponentFile(file: string): Promise<Uint8Array> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new Error('there is no such file');
  if (stats.size > MAX_COMPONENT_BYTES) throw new Error(`it is ${stats.size} bytes long, at most 256 MiB are read`);
  const bytes = await readFile(file);
  if (bytes.toString('latin1', 0, 4) !== '\0asm') throw new Error('it is no WebAssembly file');
  // Bytes 4 to 7: version and layer. A component has layer 1.
  if (bytes[6] === 1) return bytes;
  throw new Error(
    'it is a core module, not a component; build it for wasm32-wasip2, or wrap it with wasm-component-ld',
  );
}

async function transpiled(
  bytes: Uint8Array,
  key: string,
  cache: ComponentCache,
  options: LoadComponentOptions,
): Promise<CachedComponent> {
  const { homeDir, transpileTimeoutMs: timeoutMs, closing } = options;
  const component = await transpile(bytes, { homeDir, timeoutMs, ...(closing && { closing }) });
  const functions = worldOf(component.exports) ? undefined : functionTools(readComponent(bytes));
  if (functions?.tools.length === 0) {
    const found = [component.exports.join(', ') || 'nothing', ...functions.problems].join('; ');
    throw new Error(`it exports no tool: expected is the interface ein:plugin/tool, or functions; found is ${found}`);
  }
  const entry: CachedComponent = { component, functions };
  cache.set(key, entry);
  return entry;
}

async function compile({ component }: CachedComponent, caps: ModuleCaps): Promise<Map<string, SharedModule>> {
  const capped = [...capModules(component.modules, caps)];
  const compiled = capped.map(
    async ([name, { bytes, memoryPages, tableElements }]): Promise<[string, SharedModule]> => {
      return [name, { module: await WebAssembly.compile(bytes), memoryPages, tableElements }];
    },
  );
  return new Map(await Promise.all(compiled));
}
