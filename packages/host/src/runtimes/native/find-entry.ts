import { existsSync } from 'node:fs';
import path from 'node:path';
import { HostError } from '@toolpost/protocol';

const DEFAULT_ENTRIES = ['index.ts', 'index.js', 'index.mjs'];

/**
 * The module of a native plugin: the manifest's `entry`, else the first of index.ts, index.js and index.mjs.
 * @throws HostError PLUGIN_LOAD_FAILED when there is none.
 */
export function findEntry(dir: string, entry: string | undefined, pluginId: string): string {
  const candidates = entry === undefined ? DEFAULT_ENTRIES : [entry];
  const files = candidates.map((name) => path.resolve(dir, name));
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const reason =
    entry === undefined
      ? `${dir} has none of ${DEFAULT_ENTRIES.join(', ')}: add one, or name the module as "entry" in its plugin.json`
      : `"entry" in its plugin.json names ${entry}, and ${files[0]} does not exist`;
  throw new HostError('PLUGIN_LOAD_FAILED', `${pluginId}: ${reason}`, { pluginId });
}
