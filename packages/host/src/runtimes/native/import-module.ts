import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { moduleError } from './module-error.ts';
import { noteReachedFile } from './plugin-modules.ts';

const load = createRequire(import.meta.url);

/**
 * Loads a plugin's module, TypeScript included, and gives its exports by name.
 *
 * `require` runs ES modules too, without a step through the loader's promises, and stays Node's own loader where a test
 * runner puts another in the place of `import()`. A module that awaits at its top level needs `import()`.
 * @throws HostError PLUGIN_LOAD_FAILED that names the file, the line where there is one, and the remedy.
 */
export async function importModule(file: string, pluginId: string): Promise<Readonly<Record<string, unknown>>> {
  noteReachedFile(file);
  try {
    return namedExports(withoutTypeStrippingWarning(() => load(file)));
  } catch (error) {
    if (codeOf(error) !== 'ERR_REQUIRE_ASYNC_MODULE') throw moduleError(file, pluginId, error);
  }
  try {
    return namedExports(await import(pathToFileURL(file).href));
  } catch (error) {
    throw moduleError(file, pluginId, error);
  }
}

/** A CommonJS module's exports are its default export, and its properties the named ones. */
function namedExports(loaded: unknown): Readonly<Record<string, unknown>> {
  if (isNamespace(loaded)) return loaded;
  if (typeof loaded !== 'object' || loaded === null) return { default: loaded };
  // Also what a file gives that has no syntax of either kind of module.
  const isEmpty = Object.keys(loaded).length === 0;
  return isEmpty ? {} : { default: loaded, ...loaded };
}

function isNamespace(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Reflect.get(value, Symbol.toStringTag) === 'Module';
}

/** Node 22 warns once that it strips types; the user of a plugin can do nothing about it. */
function withoutTypeStrippingWarning<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('Type Stripping')) emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, 'code') : undefined;
}
