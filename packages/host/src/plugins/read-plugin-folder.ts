import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { HostError, isJsonObject, messageOf, PLUGIN_ID, parseManifest } from '@toolpost/protocol';
import type { PluginOrigin } from '../runtimes/runtime.ts';
import { parseJsonText } from '../settings/parse-json-text.ts';
import type { PluginReading } from './plugin-reading.ts';

const MAX_MANIFEST_BYTES = 1024 * 1024;

/** Whether a folder says that it is a plugin. */
export function hasManifest(folder: string): boolean {
  return statSync(join(folder, 'plugin.json'), { throwIfNoEntry: false }) !== undefined;
}

/** Reads the plugin in a folder that exists. What is wrong with it is an answer, not an error. */
export function readPluginFolder(folder: string, origin: PluginOrigin): PluginReading {
  const dir = realpathSync.native(folder);
  let value: unknown;
  try {
    value = readManifestFile(join(dir, 'plugin.json'));
    const { manifest, warnings } = parseManifest(value);
    // `toolpost build` writes a plugin to the folder `dist` of its source.
    const names = [basename(folder), basename(dir), ...(basename(dir) === 'dist' ? [manifest.id] : [])];
    return {
      plugin: { id: manifest.id, dir, manifest, origin },
      warnings: [
        ...(names.includes(manifest.id) ? [] : [`its folder is called ${basename(dir)}, its id is ${manifest.id}`]),
        ...warnings,
      ].map((warning) => `plugin ${manifest.id} (${dir}): ${warning}`),
    };
  } catch (error) {
    const reason = messageOf(error);
    const id = idIn(value);
    return {
      problem: {
        dir,
        ...(id !== undefined && { id }),
        origin,
        error: new HostError('MANIFEST_INVALID', `${join(dir, 'plugin.json')}: ${reason}`, {
          cause: error,
          ...(id !== undefined && { pluginId: id }),
        }),
        toolNames: toolNamesIn(value),
      },
    };
  }
}

function readManifestFile(file: string): unknown {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Error('does not exist');
  if (!stats.isFile()) throw new Error('is not a file');
  if (stats.size > MAX_MANIFEST_BYTES) throw new Error(`is ${stats.size} bytes long, at most 1 MiB is read`);
  const parsed = parseJsonText(readFileSync(file, 'utf8'));
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed.value;
}

function idIn(value: unknown): string | undefined {
  return isJsonObject(value) && typeof value.id === 'string' && PLUGIN_ID.test(value.id) ? value.id : undefined;
}

function toolNamesIn(value: unknown): string[] {
  const contributes = isJsonObject(value) ? value.contributes : undefined;
  const tools = isJsonObject(contributes) && Array.isArray(contributes.tools) ? contributes.tools : [];
  return tools.flatMap((tool: unknown) => (isJsonObject(tool) && typeof tool.name === 'string' ? [tool.name] : []));
}
