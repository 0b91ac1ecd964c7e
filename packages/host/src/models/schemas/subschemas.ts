import { isJsonObject, type JsonSchema } from '@toolpost/protocol';

/** Keywords whose value is one schema, a list of schemas, or schemas by name. Values of all others are data. */
const SINGLE = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

/** A schema; `true` and `false` are schemas too. */
export type AnySchema = JsonSchema | boolean;

export function isSchema(value: unknown): value is AnySchema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** A copy of the schema with each schema directly within it replaced. What stands where a schema should and is none goes. */
export function mapSubschemas(
  schema: JsonSchema,
  replace: (inner: AnySchema, keyword: string) => AnySchema,
): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (SINGLE.has(keyword)) return isSchema(value) ? [[keyword, replace(value, keyword)]] : [];
    if (LISTS.has(keyword)) {
      if (!Array.isArray(value)) return [];
      const inner = value.filter(isSchema).map((one) => replace(one, keyword));
      return inner.length > 0 ? [[keyword, inner]] : [];
    }
    if (MAPS.has(keyword))
      return isJsonObject(value) ? [[keyword, mapValues(value, (one) => replace(one, keyword))]] : [];
    return [[keyword, value]];
  });
  return Object.fromEntries(entries);
}

function mapValues(schemas: JsonSchema, replace: (inner: AnySchema) => AnySchema): JsonSchema {
  const inner = Object.entries(schemas).flatMap(([name, value]) => (isSchema(value) ? [[name, replace(value)]] : []));
  return Object.fromEntries(inner);
}

/** The types that a schema names: none when it says nothing. */
export function typesOf({ type }: JsonSchema): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one) => typeof one === 'string');
}

export function propertiesOf({ properties }: JsonSchema): JsonSchema {
  return isJsonObject(properties) ? properties : {};
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The schemas of a keyword that has a list of them. */
export function branchesOf(schema: JsonSchema, keyword: 'allOf' | 'anyOf' | 'oneOf' | 'prefixItems'): AnySchema[] {
  const branches = schema[keyword];
  return Array.isArray(branches) ? branches.filter(isSchema) : [];
}
