import { HostError, isJsonObject, type JsonObject, type Manifest, messageOf } from '@toolpost/protocol';
import { readValue, type SourcePlace, valueSourceOf } from '../settings/value-source.ts';

export interface ChannelSettingsParts extends SourcePlace {
  readonly channel: string;
  /** What the user configured for it. */
  readonly given: JsonObject;
  readonly configSchema: unknown;
  readonly onSecrets: (values: readonly string[]) => void;
}

/**
 * The configuration of a channel with what it names as `{"env": "NAME"}` and the like read from there.
 * @throws HostError CONFIG_INVALID that names each setting that is wrong.
 */
export async function readChannelSettings(parts: ChannelSettingsParts): Promise<JsonObject> {
  const problems: string[] = [];
  const secrets = secretKeys(parts.configSchema);
  const entries = Object.entries(parts.given).map(async ([name, given]) => {
    try {
      return [name, await settingOf(given, secrets.has(name), parts)];
    } catch (error) {
      problems.push(`channels.${parts.channel}.${name}: ${messageOf(error)}`);
      return [name, undefined];
    }
  });
  const settings: JsonObject = Object.fromEntries(await Promise.all(entries));
  if (problems.length > 0) throw new HostError('CONFIG_INVALID', problems.join('; '));
  return settings;
}

async function settingOf(
  given: unknown,
  isSecret: boolean,
  { onSecrets, ...place }: ChannelSettingsParts,
): Promise<unknown> {
  const source = valueSourceOf(given, isSecret);
  if (!source) return given;
  const value = await readValue(source, place);
  onSecrets([value]);
  return value;
}

function secretKeys(configSchema: unknown): Set<string> {
  const items = Array.isArray(configSchema) ? configSchema.filter(isJsonObject) : [];
  return new Set(items.flatMap(({ key, type }) => (type === 'password' ? [String(key)] : [])));
}

/** The channel that a manifest names. */
export function channelNameOf({ contributes }: Manifest): string | undefined {
  const name = contributes.channelProvider?.name;
  return typeof name === 'string' ? name : undefined;
}
