import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type ToolDefinition } from '@toolpost/protocol';
import type { DiscoveredPlugin, HookOffer } from '../runtimes/runtime.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';
import { contentHash } from './content-hash.ts';

/** What a plugin says about itself when it runs. */
export interface PluginAnswer {
  tools: readonly ToolDefinition[];
  hooks: readonly HookOffer[];
}

export interface PluginCache {
  /** The plugin's last answer, when nothing of its folder and of the host has changed since. */
  get(plugin: DiscoveredPlugin): PluginAnswer | undefined;
  /** Keeps an answer in place of the earlier one. Never throws: a cache that cannot be written is only slower. */
  set(plugin: DiscoveredPlugin, answer: PluginAnswer): void;
  /** Names of the tools that a plugin had when it last ran, however it has changed: for one that cannot start. */
  lastKnown(id: string): string[];
}

interface CacheEntry extends PluginAnswer {
  key: string;
}

/**
 * Keeps what plugins answered, one file a plugin, so that lists need not start them. Safe under several hosts: an entry
 * is replaced as a whole, and a damaged one counts as none.
 */
export function createPluginCache(cacheDir: string, hostVersion: string): PluginCache {
  // Ids that differ only in case are one plugin to discovery, and one file to some file systems.
  const fileOf = (id: string) => join(cacheDir, 'plugins', `${id.toLowerCase()}.json`);
  // From before the plugin was started: a file that changes while it starts must not get the answer of the old one.
  const keysBeforeStart = new Map<string, string | undefined>();

  return {
    get(plugin) {
      const key = keyOf(plugin, hostVersion);
      keysBeforeStart.set(plugin.id, key);
      const entry = key === undefined ? undefined : readEntry(fileOf(plugin.id));
      return entry?.key === key ? entry && { tools: entry.tools, hooks: entry.hooks } : undefined;
    },
    set(plugin, { tools, hooks }) {
      const key = keysBeforeStart.has(plugin.id) ? keysBeforeStart.get(plugin.id) : keyOf(plugin, hostVersion);
      keysBeforeStart.delete(plugin.id);
      if (key === undefined) return;
      try {
        writePrivateFile(fileOf(plugin.id), JSON.stringify({ key, tools, hooks } satisfies CacheEntry));
      } catch {
        // Read-only or full disk: the next list starts the plugin again.
      }
    },
    lastKnown: (id) => readEntry(fileOf(id))?.tools.map(({ name }) => name) ?? [],
  };
}

/** A `tools/NAME` file may import its neighbours, so its whole folder counts; a component stands alone. */
function keyOf({ id, dir, file, manifest }: DiscoveredPlugin, hostVersion: string): string | undefined {
  const hash = contentHash(file !== undefined && manifest.runtime === 'wasm' ? file : dir);
  return hash === undefined ? undefined : `${hostVersion} ${id} ${file ?? ''} ${hash}`;
}

function readEntry(file: string): CacheEntry | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is CacheEntry & Record<string, unknown> {
  return (
    isJsonObject(value) &&
    typeof value.key === 'string' &&
    isListOf(value.tools, (tool) => typeof tool.name === 'string' && isJsonObject(tool.inputSchema)) &&
    isListOf(value.hooks, (hook) => typeof hook.event === 'string')
  );
}

function isListOf(value: unknown, isRight: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && isRight(item));
}
