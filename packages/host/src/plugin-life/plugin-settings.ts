import {
  type ConfigurationProperty,
  HostError,
  type JsonObject,
  type Manifest,
  messageOf,
  nearNames,
} from '@toolpost/protocol';
import { textAsType, typeProblem } from '../settings/setting-types.ts';
import { readValue, type SourcePlace, type ValueSource, valueSourceOf } from '../settings/value-source.ts';

export interface PluginSettingsParts extends SourcePlace {
  readonly manifest: Pick<Manifest, 'id' | 'contributes'>;
  /** The user's own configuration of the plugin. */
  readonly given: JsonObject;
  /** Hears what was read from a source: nobody may see it anywhere. */
  readonly onSecrets: (values: readonly string[]) => void;
}

/** The settings of one plugin: the defaults of its manifest, overlaid by the user's configuration. */
export interface PluginSettings {
  /** One object for its life; what comes from a source is there after the first `resolve`. */
  readonly values: JsonObject;
  /** What the user's configuration has and the plugin does not know, one sentence each. */
  readonly warnings: readonly string[];
  /** Reads the sources anew. @throws HostError CONFIG_INVALID that names each setting that is wrong. */
  resolve(): Promise<void>;
}

type Properties = Readonly<Record<string, ConfigurationProperty>>;

interface Setting {
  readonly value: unknown;
  readonly problem?: string | undefined;
}

export function createPluginSettings(parts: PluginSettingsParts): PluginSettings {
  const { id, contributes } = parts.manifest;
  const properties: Properties = contributes.configuration?.properties ?? {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(parts.given)])];
  const values: JsonObject = {};
  replaceContents(values, plainValues(properties, parts.given));

  return {
    values,
    warnings: unknownSettings(id, properties, parts.given),
    async resolve() {
      const read = await Promise.all(
        names.map(async (name) => [name, await settingOf(name, properties, parts)] as const),
      );
      const problems = read.flatMap(([name, { problem }]) =>
        problem === undefined ? [] : [`plugins.settings.${id}.${name}: ${problem}`],
      );
      if (problems.length > 0) throw new HostError('CONFIG_INVALID', problems.join('; '), { pluginId: id });
      replaceContents(
        values,
        read.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value] as const])),
      );
    },
  };
}

/** Whether its value passes the redactor and may be named by a text like `env:NAME`. */
export function isSecretSetting({ secret, type }: ConfigurationProperty): boolean {
  return secret === true || type === 'password';
}

async function settingOf(name: string, properties: Properties, parts: PluginSettingsParts): Promise<Setting> {
  const property = ownOf(properties, name);
  const given = ownOf(parts.given, name);
  const isSecret = property !== undefined && isSecretSetting(property);
  if (given === undefined) return unsetOf(property);
  try {
    const source = sourceOf(property, given, isSecret);
    const value = source ? await readFrom(source, property, parts) : structuredClone(given);
    return { value, problem: property && typeProblem(property.type, value, isSecret || source !== undefined) };
  } catch (error) {
    return { value: undefined, problem: messageOf(error) };
  }
}

function unsetOf(property: ConfigurationProperty | undefined): Setting {
  if (property?.default !== undefined) return { value: structuredClone(property.default) };
  if (property?.required !== true) return { value: undefined };
  const what = property.description ? ` (${property.description})` : '';
  return { value: undefined, problem: `the plugin needs it${what}: set it in config.json` };
}

/** An object is what a setting of that type is. */
function sourceOf(
  property: ConfigurationProperty | undefined,
  given: unknown,
  isSecret: boolean,
): ValueSource | undefined {
  return property?.type === 'object' && !isSecret ? undefined : valueSourceOf(given, isSecret);
}

async function readFrom(
  source: ValueSource,
  property: ConfigurationProperty | undefined,
  { onSecrets, ...place }: PluginSettingsParts,
): Promise<unknown> {
  const text = await readValue(source, place);
  onSecrets([text]);
  return property ? textAsType(property.type, text) : text;
}

/** What is known without reading anything. */
function plainValues(properties: Properties, given: JsonObject): [string, unknown][] {
  const defaults = Object.entries(properties).filter(([, { default: value }]) => value !== undefined);
  const own = Object.entries(given).filter(([name, value]) => {
    const property = ownOf(properties, name);
    try {
      return sourceOf(property, value, property !== undefined && isSecretSetting(property)) === undefined;
    } catch {
      return false;
    }
  });
  return [...defaults.map(([name, property]): [string, unknown] => [name, property.default]), ...own].map(
    ([name, value]) => [name, structuredClone(value)],
  );
}

function unknownSettings(id: string, properties: Properties, given: JsonObject): string[] {
  const known = Object.keys(properties);
  if (known.length === 0) return [];
  return Object.keys(given).flatMap((name) => {
    if (Object.hasOwn(properties, name)) return [];
    const [near] = nearNames(name, known);
    const hint = near === undefined ? `it has ${known.join(', ')}` : `did you mean ${near}?`;
    return [`plugins.settings.${id}.${name}: the plugin declares no such setting; ${hint}`];
  });
}

function ownOf<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Whoever holds the object sees the new values; no key is special. */
function replaceContents(values: JsonObject, entries: readonly (readonly [string, unknown])[]): void {
  for (const name of Object.keys(values)) delete values[name];
  for (const [name, value] of entries)
    Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
