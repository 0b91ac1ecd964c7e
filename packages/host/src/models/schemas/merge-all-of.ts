import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { type AnySchema, branchesOf, propertiesOf, textsOf, typesOf } from './subschemas.ts';

/** A schema without its `allOf`: the parts laid over one another. What cannot be merged keeps the nearer word. */
export function mergedAllOf(schema: JsonSchema): JsonSchema {
  const parts = branchesOf(schema, 'allOf');
  if (parts.length === 0) return schema;
  const { allOf: _, ...own } = schema;
  return parts.filter(isJsonObject).map(mergedAllOf).reduce(laidOver, own);
}

function laidOver(near: JsonSchema, far: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...far, ...near };
  const types = commonTypes(typesOf(near), typesOf(far));
  if (types.length > 0) merged.type = types.length === 1 ? types[0] : types;
  if (isJsonObject(near.properties) || isJsonObject(far.properties)) {
    merged.properties = mergedProperties(propertiesOf(near), propertiesOf(far));
  }
  const required = [...new Set([...textsOf(near.required), ...textsOf(far.required)])];
  if (required.length > 0) merged.required = required;
  return merged;
}

/** The far one's come first: it is the base that the near one extends. */
function mergedProperties(near: JsonSchema, far: JsonSchema): JsonSchema {
  const merged: JsonSchema = { ...far };
  for (const [name, schema] of Object.entries(near)) {
    const base = far[name];
    merged[name] = isJsonObject(schema) && isJsonObject(base) ? laidOver(schema, base) : (schema as AnySchema);
  }
  return merged;
}

function commonTypes(near: string[], far: string[]): string[] {
  if (near.length === 0 || far.length === 0) return near.length === 0 ? far : near;
  const common = near.filter((type) => far.includes(type) || (type === 'integer' && far.includes('number')));
  return common.length > 0 ? common : near;
}
