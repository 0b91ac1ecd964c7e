import { isJsonObject, type Manifest, type Permission } from '@toolpost/protocol';
import { openLogFile, pluginLogPath } from '../processes/log-file.ts';
import type { PluginGrants, PluginServices } from '../registry/plugin-services.ts';
import type { DiscoveredPlugin } from '../runtimes/runtime.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { PluginStores } from '../storage/plugin-stores.ts';
import { isPermitted } from './plugin-entry.ts';

export interface ServicesParts {
  readonly homeDir: string;
  readonly settings: Settings;
  readonly redact: (text: string) => string;
  readonly stores: PluginStores;
}

/** The log, storage, settings and grants of one plugin. */
export function createPluginServices(
  { id, dir, server, manifest }: DiscoveredPlugin,
  parts: ServicesParts,
): PluginServices {
  const { homeDir, redact, settings, stores } = parts;
  const logPath = pluginLogPath(homeDir, id);
  const permits = (permission: Permission) => isPermitted(manifest, permission);
  return {
    settings: settingsOf(manifest, parts.settings),
    grants: grantsOf(id, parts.settings),
    log(message, level = 'info') {
      openLogFile(logPath).write(`${new Date().toISOString()} ${level} ${redact(message)}\n`);
    },
    permits,
    storageFor: stores.of({ pluginId: id, permits, limits: settings.limits[id], ...(!server && { dir }) }),
  };
}

/** The manifest's defaults, overlaid by the user's configuration. */
function settingsOf({ id, contributes }: Manifest, settings: Settings): Record<string, unknown> {
  const properties = Object.entries(contributes.configuration?.properties ?? {});
  const defaults = properties.filter(([, property]) => property.default !== undefined);
  return {
    ...Object.fromEntries(defaults.map(([name, property]) => [name, property.default])),
    ...settings.plugins.settings[id],
  };
}

function grantsOf(id: string, { toolPolicy }: Settings): PluginGrants {
  const [forAll, own] = [toolPolicy['*'], toolPolicy[id]];
  return {
    hosts: [...(forAll?.hosts ?? []), ...(own?.hosts ?? [])],
    spawn: own?.spawn ?? forAll?.spawn ?? false,
    memoryMb: own?.memoryMb ?? forAll?.memoryMb,
    env: [...(forAll?.env ?? []), ...(own?.env ?? [])],
  };
}

/** The values of secret settings: what the redactor must know of one plugin. */
export function secretsOf({ id, contributes }: Manifest, settings: Settings): string[] {
  const given = settings.plugins.settings[id] ?? {};
  const own = Object.entries(contributes.configuration?.properties ?? {}).flatMap(([name, { secret, type }]) => {
    const value = given[name];
    return (secret === true || type === 'password') && typeof value === 'string' ? [value] : [];
  });
  return [...own, ...channelSecretsOf(contributes.channelProvider, settings)];
}

function channelSecretsOf(provider: Manifest['contributes']['channelProvider'], { channels }: Settings): string[] {
  const config = channels[String(provider?.name)] ?? {};
  const items = Array.isArray(provider?.configSchema) ? provider.configSchema.filter(isJsonObject) : [];
  return items.flatMap(({ key, type }) => {
    const value = config[String(key)];
    return type === 'password' && typeof value === 'string' ? [value] : [];
  });
}
