import type { ManifestTool, ToolDefinition } from '@toolpost/protocol';
import type { PluginCache } from '../plugins/plugin-cache.ts';
import type { DiscoveredPlugin } from '../runtimes/runtime.ts';
import type { Knowledge, PluginOffer } from './plugin-slot.ts';

/** What is known of a plugin that does not run: its last answer for this very content, else what its manifest names. */
export function knownOffer(plugin: DiscoveredPlugin, cache: PluginCache): PluginOffer & { knowledge: Knowledge } {
  const cached = cache.get(plugin);
  if (cached) return { ...cached, knowledge: 'cached' };
  const { tools, hooks } = plugin.manifest.contributes;
  if (tools.length > 0) return { tools: tools.map(toDefinition), hooks, knowledge: 'declared' };
  return { tools: [], hooks, knowledge: 'none' };
}

/** For a plugin that could not start, or is disabled: the names that are spoken for. */
export function lastKnownOffer(plugin: DiscoveredPlugin, cache: PluginCache): readonly ToolDefinition[] {
  return cache.lastKnown(plugin.id).map((name) => toDefinition({ name, description: '' }));
}

function toDefinition({ name, description, inputSchema }: ManifestTool): ToolDefinition {
  return { name, description, inputSchema: inputSchema ?? { type: 'object', properties: {} } };
}
