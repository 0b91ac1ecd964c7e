import { isJsonObject, type JsonSchema } from '@toolpost/protocol';

/** Their values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Writes OpenAPI's `nullable` beside an `anyOf` or a `$ref` in the words of JSON Schema, as Ajv knows it beside a `type`
 * only. Tools that are made from an API's description often have it.
 */
export function withoutBareNullable(schema: JsonSchema): JsonSchema {
  return rewritten(schema) as JsonSchema;
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (!isJsonObject(value)) return value;
  const { nullable, ...others } = value;
  const isBare = typeof nullable === 'boolean' && value.type === undefined;
  const entries = Object.entries(isBare ? others : value);
  const inner = Object.fromEntries(entries.map(([key, item]) => [key, DATA.has(key) ? item : rewritten(item)]));
  return isBare && nullable ? { anyOf: [inner, { type: 'null' }] } : inner;
}
