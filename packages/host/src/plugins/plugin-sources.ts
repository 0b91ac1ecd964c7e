import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HostError } from '@toolpost/protocol';
import type { PluginOrigin } from '../runtimes/runtime.ts';
import type { PluginReading } from './plugin-reading.ts';
import { componentFilesIn, readLooseFile, toolFilesIn } from './read-loose-file.ts';
import { hasManifest, readPluginFolder } from './read-plugin-folder.ts';

export interface Source {
  readonly origin: PluginOrigin;
  readonly warnings: string[];
}

/** Plugin folders and lone components directly inside a folder. An absent folder holds none. */
export function readPluginsFolder(folder: string, source: Source): PluginReading[] {
  const names = readNames(folder, source).filter((name) => !name.startsWith('.'));
  const folders = names.map((name) => join(folder, name)).filter(hasManifest);
  return [
    ...folders.map((path) => readPluginFolder(path, source.origin)),
    ...componentFilesIn(names).flatMap((name) => readFile(join(folder, name), source)),
  ];
}

/** The `NAME.{ts,js,py}` files directly inside a folder. An absent folder holds none. */
export function readToolsFolder(folder: string, source: Source): PluginReading[] {
  return toolFilesIn(readNames(folder, source)).flatMap((name) => readFile(join(folder, name), source));
}

/**
 * A folder that the user named: one plugin folder, or a folder of them, with loose tools in its `tools/` as in the home
 * directory. A folder without any of these is taken for a folder of loose tools; beside plugins, a `build.js` is none.
 */
export function readNamedFolder(folder: string, source: Source): PluginReading[] {
  if (hasManifest(folder)) return [readPluginFolder(folder, source.origin)];
  const tools = join(folder, 'tools');
  const found = [...readPluginsFolder(folder, source), ...(hasManifest(tools) ? [] : readToolsFolder(tools, source))];
  if (found.length > 0) return found;
  const loose = readToolsFolder(folder, source);
  if (loose.length === 0) {
    const expected = 'folders with a plugin.json, .wasm files, or NAME.ts, NAME.js and NAME.py files';
    source.warnings.push(`no plugin in ${folder}: expected ${expected}`);
  }
  return loose;
}

/** @throws HostError CONFIG_INVALID when a folder given with `--plugins` is none. */
export function requireFolder(folder: string): string {
  const path = resolve(folder);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return path;
  const reason = stats ? 'is not a folder: give the folder that it lies in' : 'does not exist';
  throw new HostError('CONFIG_INVALID', `--plugins ${folder}: ${path} ${reason}`);
}

function readFile(path: string, source: Source): PluginReading[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile()) return [readLooseFile(path, source.origin)];
  if (!stats) source.warnings.push(`${path}: ignored, because the link leads to nothing`);
  return [];
}

function readNames(folder: string, { warnings }: Source): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT')
      warnings.push(`${folder}: no plugin is looked for in it, because it cannot be read (${code})`);
    return [];
  }
}
