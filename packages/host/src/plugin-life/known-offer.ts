import type { ManifestTool, ToolDefinition } from '@toolpost/protocol';
import type { PluginCache } from '../plugins/plugin-cache.ts';
import type { DiscoveredPlugin } from '../runtimes/runtime.ts';
import type { Knowledge, PluginOffer } from './plugin-slot.ts';

/**
 * What is known of a plugin that does not run: its last answer for this very content, else what its manifest names and
 * the names it had when it last ran. Those stay its own where it cannot start any more, so that nothing falls back to
 * what it overrode.
 */
export function knownOffer(plugin: DiscoveredPlugin, cache: PluginCache): PluginOffer & { knowledge: Knowledge } {
  const cached = cache.get(plugin);
  if (cached) return { ...cached, knowledge: 'cached' };
  const { tools, hooks } = plugin.manifest.contributes;
  const declared = new Set(tools.map(({ name }) => name));
  const earlier = cache.lastKnown(plugin.id).filter((name) => !declared.has(name));
  return {
    tools: [...tools, ...earlier.map((name) => ({ name, description: '' }))].map(toDefinition),
    hooks,
    knowledge: tools.length > 0 ? 'declared' : 'none',
  };
}

function toDefinition({ name, description, inputSchema }: ManifestTool): ToolDefinition {
  return { name, description, inputSchema: inputSchema ?? { type: 'object', properties: {} } };
}
