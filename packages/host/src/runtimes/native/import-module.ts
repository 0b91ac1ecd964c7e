import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { moduleError } from './module-error.ts';
import { readingOf } from './plugin-modules.ts';

const load = createRequire(import.meta.url);

/**
 * Loads a plugin's module, TypeScript included, and gives its exports by name.
 *
 * `require` runs ES modules too, without a step through the loader's promises, and stays Node's own loader where a test
 * runner puts another in the place of `import()`. A module that awaits at its top level needs `import()`, and so does one
 * that has changed: Node reads a file again under another URL only.
 * @throws HostError PLUGIN_LOAD_FAILED that names the file, the line where there is one, and the remedy.
 */
export async function importModule(
  file: string,
  pluginId: string,
  reading?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const url = pathToFileURL(file).href;
  try {
    if (reading === undefined) return namedExports(withoutLoaderWarnings(() => load(file)));
  } catch (error) {
    if (codeOf(error) !== 'ERR_REQUIRE_ASYNC_MODULE') throw moduleError(file, pluginId, error);
  }
  try {
    // A CommonJS module is kept under its path, whatever its URL is.
    if (reading !== undefined) delete load.cache[file];
    return namedExports(await import(reading === undefined ? url : readingOf(url, reading)));
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

/** That types are stripped (Node 22), or that a package.json has no `type`: not what the user of a plugin can mend. */
const LOADER_WARNING = /^(?:Type Stripping|Module type of )/;

function withoutLoaderWarnings<T>(work: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!LOADER_WARNING.test(String(warning))) emitWarning.call(process, warning, ...rest);
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
