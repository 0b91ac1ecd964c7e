import type { ToolDefinition } from '@toolpost/protocol';
import type { RegisteredTool } from './registry/registered-tool.ts';
import type { Snapshot } from './registry/snapshot.ts';

/** The narrower a tool's scope, the more it is meant for this very session; without the built-in ones an agent can do little. */
const RANKS: Readonly<Record<RegisteredTool['scope'], number>> = { builtin: 0, channel: 1, tenant: 2, global: 3 };

export interface OfferedTools {
  readonly tools: readonly ToolDefinition[];
  readonly warnings: readonly string[];
}

/**
 * At most `maxTools` of what a session sees, for a provider that refuses more: built-in tools, then those of the channel
 * and of the tenant, then by name. The same tools always give the same choice, in the same order.
 */
export function offeredTools(
  { tools, definitions }: Pick<Snapshot, 'tools' | 'definitions'>,
  maxTools: number,
): OfferedTools {
  if (tools.length <= maxTools) return { tools: definitions, warnings: [] };
  const ranked = tools.toSorted((a, b) => RANKS[a.scope] - RANKS[b.scope]);
  const chosen = new Set(ranked.slice(0, maxTools));
  const left = tools.length - maxTools;
  const warning = `the model is offered ${maxTools} of ${tools.length} tools, built-in ones first and then by name: ${left} are left out. Disable plugins, or raise "maxTools" in the configuration as far as the model takes it.`;
  return { tools: tools.filter((tool) => chosen.has(tool)).map(({ definition }) => definition), warnings: [warning] };
}
