import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  isJsonObject,
  NO_CONTENT,
  type PluginContent,
  readPluginContent,
  type ToolDefinition,
} from '@toolpost/protocol';
import type { DiscoveredPlugin, EnricherOffer, HookOffer } from '../runtimes/runtime.ts';
import { writePrivateFile } from '../settings/write-private-file.ts';
import { contentHash, contentStamp } from './content-hash.ts';

/** What a plugin says about itself when it runs. */
export interface PluginAnswer {
  tools: readonly ToolDefinition[];
  hooks: readonly HookOffer[];
  enrichers: readonly EnricherOffer[];
  content: PluginContent;
  channel?: CachedChannel | undefined;
  subscriptions?: readonly string[] | undefined;
  handlesUiActions?: boolean | undefined;
}

/** What a channel declared under a configuration of the user's; without a key it was not enabled. */
export interface CachedChannel {
  name: string;
  configKey?: string | undefined;
  tools: readonly ToolDefinition[];
}

export interface PluginCache {
  /** The plugin's last answer, when nothing of its folder and of the host has changed since. */
  get(plugin: DiscoveredPlugin): PluginAnswer | undefined;
  /** Whether a plugin's files are others than when `get` last looked at them; true where that cannot be told. */
  hasChanged(plugin: DiscoveredPlugin): boolean;
  /** Keeps an answer in place of the earlier one. Never throws: a cache that cannot be written is only slower. */
  set(plugin: DiscoveredPlugin, answer: PluginAnswer): void;
  /** Names of the tools that a plugin had when it last ran, however it has changed: for one that cannot start. */
  lastKnown(id: string): string[];
}

interface CacheEntry extends PluginAnswer {
  key: string;
  /** The files' stamp when the key was made. */
  stamp?: string | undefined;
}

/** What was known of a plugin's files before it was started. */
interface Before {
  /** Undefined when the files cannot be known. */
  readonly key: () => string | undefined;
  readonly stamp: string | undefined;
  /** The entry that was there, as text. */
  readonly written: string | undefined;
}

/**
 * Keeps what plugins answered, one file a plugin, so that lists need not start them. Safe under several hosts: an entry
 * is replaced as a whole, and a damaged one counts as none.
 */
export function createPluginCache(cacheDir: string, hostVersion: string): PluginCache {
  // Ids that differ only in case are one plugin to discovery, and one file to some file systems.
  const fileOf = (id: string) => cacheFile(cacheDir, id);
  // From before the plugin was started: a file that changes while it starts must not get the answer of the old one.
  const before = new Map<string, Before>();
  const looked = new Map<string, Before>();

  const look = (plugin: DiscoveredPlugin): { entry: CacheEntry | undefined; before: Before } => {
    const entry = readEntry(fileOf(plugin.id));
    const stamp = plugin.server ? undefined : contentStamp(placeOf(plugin));
    const prefix = keyPrefix(plugin, hostVersion);
    if (!entry && stamp !== undefined)
      return { entry, before: { key: () => keyOfStamped(plugin, prefix, stamp), stamp, written: undefined } };
    const isUnchanged = entry?.stamp !== undefined && entry.stamp === stamp && entry.key.startsWith(prefix);
    const key = isUnchanged ? entry.key : keyOf(plugin, prefix);
    const isSame = entry !== undefined && entry.key === key;
    const written = isUnchanged ? JSON.stringify(entry) : undefined;
    return { entry: isSame ? entry : undefined, before: { key: () => key, stamp, written } };
  };

  return {
    get(plugin) {
      const found = look(plugin);
      before.set(plugin.id, found.before);
      looked.set(plugin.id, found.before);
      if (!found.entry) return undefined;
      const { tools, hooks, enrichers, content, channel, subscriptions, handlesUiActions } = found.entry;
      return { tools, hooks, enrichers, content, channel, subscriptions, handlesUiActions };
    },
    hasChanged(plugin) {
      if (plugin.server) return false;
      const then = looked.get(plugin.id);
      if (then?.stamp !== undefined) return contentStamp(placeOf(plugin)) !== then.stamp;
      const key = then?.key();
      return key === undefined || key !== keyOf(plugin, keyPrefix(plugin, hostVersion));
    },
    set(plugin, { tools, hooks, enrichers, content, channel, subscriptions = [], handlesUiActions }) {
      const { key: makeKey, stamp, written } = before.get(plugin.id) ?? look(plugin).before;
      before.delete(plugin.id);
      const key = makeKey();
      if (key === undefined) return;
      try {
        const text = JSON.stringify({
          ...{ key, stamp, tools, hooks, enrichers, content, channel, subscriptions, handlesUiActions },
        } satisfies CacheEntry);
        if (text !== written) writePrivateFile(fileOf(plugin.id), text);
      } catch {
        // Read-only or full disk, or a schema too deep for JSON: the next list starts the plugin again.
      }
    },
    lastKnown: (id) => readEntry(fileOf(id))?.tools.map(({ name }) => name) ?? [],
  };
}

/** Has the plugin answer anew: what it may offer has changed, and its files have not. */
export function forgetAnswer(cacheDir: string, id: string): void {
  rmSync(cacheFile(cacheDir, id), { force: true });
}

function cacheFile(cacheDir: string, id: string): string {
  return join(cacheDir, 'plugins', `${id.toLowerCase()}.json`);
}

/** A `tools/NAME` file may import its neighbours, so its whole folder counts; a component stands alone. */
function placeOf({ dir, file, manifest }: DiscoveredPlugin): string {
  return file !== undefined && manifest.runtime === 'wasm' ? file : dir;
}

function keyPrefix({ id, file }: DiscoveredPlugin, hostVersion: string): string {
  return `${hostVersion} ${id} ${file ?? ''} `;
}

/** A server of the configuration has no files: it is another one when what is said of it there is. */
function configurationHash({ manifest, server, dir }: DiscoveredPlugin): string {
  return createHash('sha256').update(JSON.stringify({ manifest, server, dir })).digest('hex');
}

function keyOf(plugin: DiscoveredPlugin, prefix: string): string | undefined {
  const hash = plugin.server ? configurationHash(plugin) : contentHash(placeOf(plugin));
  return hash === undefined ? undefined : prefix + hash;
}

/**
 * The key of a plugin that had no entry to compare with: its files are read only once it has answered, as most hosts
 * start few of their plugins. Files that changed meanwhile get a key that no content has.
 */
function keyOfStamped(plugin: DiscoveredPlugin, prefix: string, stamp: string): string | undefined {
  const key = keyOf(plugin, prefix);
  return key === undefined || contentStamp(placeOf(plugin)) === stamp ? key : `${prefix}changed while it started`;
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
    isListOf(value.tools, isTool) &&
    isListOf(value.hooks, (hook) => typeof hook.event === 'string') &&
    isListOf(value.enrichers, (enricher) => typeof enricher.name === 'string') &&
    Array.isArray(value.subscriptions) &&
    value.subscriptions.every((topic) => typeof topic === 'string') &&
    isContent(value.content) &&
    isChannel(value.channel)
  );
}

function isChannel(value: unknown): boolean {
  if (value === undefined) return true;
  return isJsonObject(value) && typeof value.name === 'string' && isListOf(value.tools, isTool);
}

function isTool(tool: Record<string, unknown>): boolean {
  return typeof tool.name === 'string' && isJsonObject(tool.inputSchema);
}

function isContent(value: unknown): boolean {
  try {
    return isJsonObject(value) && readPluginContent(value) !== NO_CONTENT;
  } catch {
    return false;
  }
}

function isListOf(value: unknown, isRight: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isJsonObject(item) && isRight(item));
}
