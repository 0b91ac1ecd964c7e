import type { JsonObject } from '@toolpost/protocol';
import type { ChannelPort } from '../runtimes/runtime.ts';
import type { Settings } from '../settings/settings-schema.ts';

/**
 * The tenant that the first process of a plugin serves: the one that the configuration of its channel names, else the
 * only one that the plugin is for, else nobody's in particular.
 */
export function tenantOfPlugin(tenants: readonly string[], channelConfig: JsonObject | undefined): string {
  const [only = ''] = tenants.length === 1 ? tenants : [];
  return typeof channelConfig?.tenant === 'string' ? channelConfig.tenant : only;
}

/**
 * The tenant whose sessions a channel's chats are: that of its process.
 * @throws Error when the configuration names none that there is, or leaves it open among several.
 */
export function tenantOfChannel(
  { tenants }: Settings,
  { name, pluginId, config }: Pick<ChannelPort, 'name' | 'pluginId' | 'config'>,
): string {
  const owners = Object.keys(tenants).filter((id) => isFor(tenants[id], pluginId));
  const given = config.tenant ?? undefined;
  if (given === undefined ? owners.length > 1 : typeof given !== 'string')
    throw new Error(`channels.${name}.tenant must name one of the tenants of plugin ${pluginId}: ${owners.join(', ')}`);
  const tenant = tenantOfPlugin(owners, config);
  if (tenant !== '' && !Object.hasOwn(tenants, tenant))
    throw new Error(`channels.${name}.tenant: there is no tenant ${JSON.stringify(tenant)}`);
  return tenant;
}

function isFor(tenant: Settings['tenants'][string] | undefined, pluginId: string): boolean {
  const { plugins = [], users = {} } = tenant ?? {};
  return plugins.includes(pluginId) || Object.values(users).some((user) => user.plugins?.includes(pluginId));
}
