import { type JsonObject, type PluginContent, writeToolDeclaration } from '@toolpost/protocol';
import { type Tool, toToolDefinition } from '../define/define-tool.ts';
import type { ActivePlugin } from '../plugin/activate-plugin.ts';
import { topicsOf } from '../plugin/subscriptions.ts';

/** What a plugin says of itself. What has no words in version 1 is left out there. */
export function activateAnswer(active: ActivePlugin, speaksTwo: boolean): JsonObject {
  const { tools, hooks, enrichers, subscriptions, content, webUiAction } = active;
  return {
    tools: tools.map((tool) => declarationOf(tool, speaksTwo)),
    hooks: hooks.length === 0 ? undefined : hooks.map(({ handler: _handler, ...declaration }) => declaration),
    enrichers: enrichers.length === 0 ? undefined : enrichers.map(({ enrich: _, ...declaration }) => declaration),
    ...(webUiAction && { handlesUiActions: true }),
    ...(speaksTwo && subscriptions.length > 0 && { subscriptions: topicsOf(subscriptions) }),
    ...(speaksTwo && withoutEmpty(content.declared)),
  };
}

/** A tool on the wire, where nobody sees its functions. */
export function declarationOf(tool: Tool, speaksTwo = true): JsonObject {
  const declared = writeToolDeclaration(toToolDefinition(tool));
  return tool.preview && speaksTwo ? { ...declared, hasPreview: true } : declared;
}

function withoutEmpty(content: PluginContent): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([, list]) => list.length > 0));
}
