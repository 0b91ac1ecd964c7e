import { isJsonObject, type JsonObject, type Manifest, type Permission } from '@toolpost/protocol';
import { openLogFile, pluginLogPath } from '../processes/log-file.ts';
import type { PluginGrants, PluginServices } from '../registry/plugin-services.ts';
import type { DiscoveredPlugin } from '../runtimes/runtime.ts';
import type { Settings } from '../settings/settings-schema.ts';
import type { PluginStores } from '../storage/plugin-stores.ts';
import { isPermitted } from './plugin-entry.ts';
import { isSecretSetting } from './plugin-settings.ts';

export interface ServicesParts {
  readonly homeDir: string;
  readonly settings: Settings;
  /** What the plugin gets as its own settings. */
  readonly values: JsonObject;
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
  const lacked = new Set<Permission>();
  const permits = (permission: Permission) => {
    if (isPermitted(manifest, permission)) return true;
    lacked.add(permission);
    return false;
  };
  return {
    settings: parts.values,
    grants: grantsOf(id, parts.settings),
    log(message, level = 'info') {
      openLogFile(logPath).write(`${new Date().toISOString()} ${level} ${redact(message)}\n`);
    },
    permits,
    lacked,
    storageFor: stores.of({ pluginId: id, permits, limits: settings.limits[id], ...(!server && { dir }) }),
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
  const own = Object.entries(contributes.configuration?.properties ?? {}).flatMap(([name, property]) =>
    isSecretSetting(property) ? plainText(given[name]) : [],
  );
  return [...own, ...channelSecretsOf(contributes.channelProvider, settings)];
}

function channelSecretsOf(provider: Manifest['contributes']['channelProvider'], { channels }: Settings): string[] {
  const config = channels[String(provider?.name)] ?? {};
  const items = Array.isArray(provider?.configSchema) ? provider.configSchema.filter(isJsonObject) : [];
  return items.flatMap(({ key, type }) => {
    return type === 'password' ? plainText(config[String(key)]) : [];
  });
}

/** A secret that stands in the configuration itself; one that is named there is known when it was read. */
function plainText(value: unknown): string[] {
  return typeof value === 'string' && !/^(?:env|file|cmd):/.test(value) ? [value] : [];
}
