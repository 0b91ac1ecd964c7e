import type { PluginStatus } from '../plugin-life/plugin-status.ts';
import type { Principal } from './principal.ts';
import type { ServerParts } from './server-parts.ts';

/** The plugins that the principal may know of: one that is for other tenants is as one that is not there. */
export async function visiblePlugins(
  { host }: Pick<ServerParts, 'host'>,
  { tenant, isOperator }: Principal,
): Promise<readonly PluginStatus[]> {
  const plugins = await host.listPlugins({ start: false });
  return isOperator ? plugins : plugins.filter(({ tenants }) => tenants.length === 0 || tenants.includes(tenant));
}
