import { isJsonObject, type JsonObject, type JsonSchema } from '@toolpost/protocol';
import { exampleNumber, exampleText } from './example-values.ts';
import { mergedSchema } from './merged-schema.ts';

const MAX_DEPTH = 6;
const MAX_ITEMS = 10;
const MAX_CHARS = 1000;

/**
 * Arguments that a schema takes, for an error that shows how it is done: the required fields, else the first one.
 * @returns their JSON text; undefined where no example was found that `isValid`.
 */
export function exampleArguments(schema: JsonSchema, isValid: (example: JsonObject) => boolean): string | undefined {
  // What an author gives as an example says the most, but nobody has checked it.
  for (const trustsHints of [true, false]) {
    const example = exampleAt(schema, { root: schema, depth: 0, trustsHints });
    if (!isJsonObject(example) || !isValid(example)) continue;
    const text = JSON.stringify(example);
    if (text.length <= MAX_CHARS) return text;
  }
  return undefined;
}

interface Walk {
  readonly root: JsonSchema;
  readonly depth: number;
  readonly trustsHints: boolean;
}

function exampleAt(given: unknown, walk: Walk): unknown {
  if (!isJsonObject(given) || walk.depth > MAX_DEPTH) return {};
  const schema = mergedSchema(given, walk.root);
  if ('const' in schema) return schema.const;
  if (walk.trustsHints && Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (walk.trustsHints && 'default' in schema) return schema.default;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  switch (typeOf(schema)) {
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return exampleList(schema, { ...walk, depth: walk.depth + 1 });
    default:
      return exampleObject(schema, { ...walk, depth: walk.depth + 1 });
  }
}

function typeOf({ type, items, prefixItems, properties }: JsonSchema): unknown {
  if (type === undefined && properties === undefined && (items ?? prefixItems) !== undefined) return 'array';
  return Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type;
}

function exampleList({ items, prefixItems, minItems, maxItems }: JsonSchema, walk: Walk): unknown[] {
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = isJsonObject(items) ? [items] : [];
  const least = typeof minItems === 'number' ? minItems : 0;
  const most = typeof maxItems === 'number' ? maxItems : MAX_ITEMS;
  const count = Math.min(Math.max(least, tuple.length + rest.length), most, MAX_ITEMS);
  return Array.from({ length: count }, (_, index) => exampleAt(tuple[index] ?? rest[0], walk));
}

function exampleObject(schema: JsonSchema, walk: Walk): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const names = required.length > 0 || walk.depth > 1 ? required : Object.keys(properties).slice(0, 1);
  const schemaOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties);
  return Object.fromEntries(names.map((name) => [name, exampleAt(schemaOf(name), walk)]));
}
