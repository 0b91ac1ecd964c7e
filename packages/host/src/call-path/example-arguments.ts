import { isJsonObject, type JsonObject, type JsonSchema } from '@toolpost/protocol';

const MAX_DEPTH = 5;
const BY_TYPE: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true, null: null };

/** Arguments that a schema takes, as an example in an error: the required fields, else the first one. */
export function exampleOf(schema: JsonSchema): unknown {
  return exampleAt(schema, { root: schema, depth: 0 });
}

interface Walk {
  root: JsonSchema;
  depth: number;
}

function exampleAt(schema: unknown, { root, depth }: Walk): unknown {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return {};
  const inner = { root, depth: depth + 1 };
  if ('const' in schema) return schema.const;
  for (const list of [schema.examples, schema.enum]) if (Array.isArray(list) && list.length > 0) return list[0];
  if ('default' in schema) return schema.default;
  if (typeof schema.$ref === 'string') return exampleAt(resolveLocal(root, schema.$ref), inner);
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(branches) && !isJsonObject(schema.properties)) return exampleAt(branches[0], inner);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return schema.items === undefined ? [] : [exampleAt(schema.items, inner)];
  if (typeof type === 'string' && type in BY_TYPE) return BY_TYPE[type];
  return exampleObject(schema, inner);
}

function exampleObject(schema: JsonObject, walk: Walk): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = required.length > 0 || walk.depth > 1 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleAt(properties[name], walk)]));
}

function resolveLocal(root: JsonSchema, ref: string): unknown {
  if (!ref.startsWith('#')) return {};
  let value: unknown = root;
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonObject(value) ? value[key] : undefined;
  }
  return value;
}
