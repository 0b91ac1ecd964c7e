import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { type AnySchema, branchesOf, mapSubschemas, typesOf } from './subschemas.ts';

/** OpenAI refuses arrays without `items`, tuples, and objects without `properties`. */
export function fitOpenAi(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(schema, (one, keyword) => fitInner(one, keyword));
  return filled(withoutTuple(inner));
}

function fitInner(schema: AnySchema, keyword: string): AnySchema {
  if (isJsonObject(schema)) return fitOpenAi(schema);
  // Whether more fields are allowed may be said by a boolean, nothing else.
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return schema;
  return schema ? {} : { not: {} };
}

/** The positions of a tuple become alternatives for each item; the host checks their order. */
export function withoutTuple(schema: JsonSchema): JsonSchema {
  const positions = branchesOf(schema, 'prefixItems').filter(isJsonObject);
  if (schema.prefixItems === undefined) return schema;
  const { prefixItems: _, items, ...rest } = schema;
  const further = isJsonObject(items) && Object.keys(items).length > 0 ? [items] : [];
  const isClosed = items === false || (isJsonObject(items) && 'not' in items);
  const kinds = distinct([...positions, ...(isClosed ? [] : further)]);
  const item = kinds.length === 1 ? kinds[0] : { anyOf: kinds };
  const most = isClosed && rest.maxItems === undefined ? { maxItems: positions.length } : {};
  return { ...rest, items: kinds.length === 0 ? {} : item, ...most };
}

function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** `items` and `properties` where a type needs them. */
export function filled(schema: JsonSchema): JsonSchema {
  const types = typesOf(schema);
  const items = types.includes('array') && schema.items === undefined && schema.prefixItems === undefined;
  const properties = types.includes('object') && schema.properties === undefined;
  return { ...schema, ...(items && { items: {} }), ...(properties && { properties: {} }) };
}
