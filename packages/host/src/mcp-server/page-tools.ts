import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { isWireName } from '../registry/wire-names.ts';

/**
 * The tools of servers whose pages are shown by the client, under the names that their pages know: the servers' own. A name
 * that is taken here, or that two of those servers have, is left out. `seen` is what the channel of pages sees.
 */
export function pageToolsOf(seen: Snapshot, isTaken: (name: string) => boolean): ReadonlyMap<string, RegisteredTool> {
  const servers = new Set(seen.tools.filter(hasServerPage).map(({ plugin }) => plugin.id));
  const found = new Map<string, RegisteredTool | undefined>();
  for (const tool of seen.tools) {
    const name = servers.has(tool.plugin.id) ? nameAtServer(tool) : undefined;
    if (name === undefined || !isWireName(name) || isTaken(name)) continue;
    found.set(name, found.has(name) ? undefined : tool);
  }
  return new Map([...found].flatMap(([name, tool]) => (tool ? [[name, tool] as const] : [])));
}

/** With which the names of a server's tools begin here. */
export function serverPrefix(pluginId: string): string {
  return `mcp__${pluginId}__`;
}

function hasServerPage({ definition: { ui } }: RegisteredTool): boolean {
  return ui?.mode === 'app' && ui.resourceUri !== undefined;
}

/** Undefined for a tool that its server keeps for models. */
function nameAtServer({ definition: { name, ui }, plugin }: RegisteredTool): string | undefined {
  const prefix = serverPrefix(plugin.id);
  const isForPages = ui?.visibility === undefined || ui.visibility.includes('app');
  return isForPages && name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
