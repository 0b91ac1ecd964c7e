import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** The user's configuration of a channel over the defaults that it declares; whether it is enabled only the user says. */
export function configuredOf(given: JsonObject, configSchema: unknown): JsonObject {
  const items = Array.isArray(configSchema) ? configSchema.filter(isJsonObject) : [];
  const defaults = items.flatMap(({ key, default_value: snake, defaultValue = snake }) =>
    typeof key === 'string' && key !== 'enabled' && defaultValue !== undefined ? [[key, defaultValue]] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}
