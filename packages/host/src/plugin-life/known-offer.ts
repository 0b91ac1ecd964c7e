import { type ManifestTool, NO_CONTENT, type ToolDefinition } from '@toolpost/protocol';
import type { CachedChannel, PluginCache } from '../plugins/plugin-cache.ts';
import type { DiscoveredPlugin, OfferedChannel } from '../runtimes/runtime.ts';
import type { ChannelHub } from './channel-hub.ts';
import type { Knowledge, PluginOffer } from './plugin-slot-parts.ts';

/**
 * What is known of a plugin that does not run: its last answer for this very content, else what its manifest names and
 * the names it had when it last ran. Those stay its own where it cannot start any more, so that nothing falls back to
 * what it overrode. A loose file is expected to offer what it is named after until it says what it does.
 */
export function knownOffer(
  plugin: DiscoveredPlugin,
  cache: PluginCache,
  channels: ChannelHub,
): PluginOffer & { knowledge: Knowledge } {
  const cached = cache.get(plugin);
  if (cached) return { ...cached, ...knownChannel(cached.channel, channels) };
  const { tools, hooks, channelProvider } = plugin.manifest.contributes;
  const isOff = typeof channelProvider?.name === 'string' && channels.configOf(channelProvider.name) === undefined;
  // A channel that nobody enabled is not run only to hear that it has nothing else.
  if (isOff && tools.length === 0 && hooks.length === 0)
    return { tools: [], hooks: [], enrichers: [], content: NO_CONTENT, knowledge: 'cached' };
  const declared = new Set(tools.map(({ name }) => name));
  const earlier = cache.lastKnown(plugin.id).filter((name) => !declared.has(name));
  const expected = earlier.length === 0 && isLooseTool(plugin) ? [plugin.id] : [];
  return {
    tools: [...tools, ...[...earlier, ...expected].map((name) => ({ name, description: '' }))].map(toDefinition),
    hooks,
    enrichers: [],
    content: NO_CONTENT,
    knowledge: tools.length > 0 ? 'declared' : 'none',
  };
}

/** A channel declares by its configuration: what it declared under another one says nothing. */
function knownChannel(
  cached: CachedChannel | undefined,
  channels: ChannelHub,
): { channel: OfferedChannel | undefined; knowledge: Knowledge } {
  if (!cached) return { channel: undefined, knowledge: 'cached' };
  const configKey = channels.configKeyOf(cached.name);
  const isSame = configKey === cached.configKey;
  const tools = isSame && configKey !== undefined ? cached.tools : [];
  const offered = { isEnabled: configKey !== undefined, isOpen: false, prompt: [], widgets: [], reserved: [] };
  return { channel: { name: cached.name, ...offered, tools }, knowledge: isSame ? 'cached' : 'none' };
}

/** A component is named after its project as often as after its tool. */
function isLooseTool({ file, manifest }: DiscoveredPlugin): boolean {
  return file !== undefined && manifest.runtime !== 'wasm';
}

function toDefinition({ name, description, inputSchema }: ManifestTool): ToolDefinition {
  return { name, description, inputSchema: inputSchema ?? { type: 'object', properties: {} } };
}
