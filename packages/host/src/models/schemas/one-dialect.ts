import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { type AnySchema, mapSubschemas, textsOf, typesOf } from './subschemas.ts';
import { wellFormed } from './well-formed.ts';

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

/**
 * A schema of any draft, or with OpenAPI's `nullable`, in the words of draft 2020-12: tuples are `prefixItems`, exclusive
 * bounds are numbers, null is a type. What no draft knows as a type goes, and so does what says nothing in any draft.
 */
export function inOneDialect(schema: JsonSchema): JsonSchema {
  const inner = mapSubschemas(
    withTuples(wellFormed(schema)),
    (one): AnySchema => (isJsonObject(one) ? inOneDialect(one) : one),
  );
  return withNull(withRequired(withBounds(withTypes(inner))));
}

function withTuples(schema: JsonSchema): JsonSchema {
  const { additionalItems, ...rest } = schema;
  if (!Array.isArray(rest.items)) return rest;
  const { items, ...others } = rest;
  return { ...others, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) };
}

function withTypes(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) return schema;
  const { type: _, ...rest } = schema;
  const types = typesOf(schema).filter((type) => TYPES.has(type));
  if (types.length === 0) return rest;
  return { type: types.length === 1 ? types[0] : types, ...rest };
}

/** Draft 4: `exclusiveMinimum: true` beside `minimum`. */
function withBounds(schema: JsonSchema): JsonSchema {
  const bounded = { ...schema };
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const flag = bounded[exclusive];
    if (typeof flag !== 'boolean') continue;
    delete bounded[exclusive];
    if (!flag || typeof bounded[bound] !== 'number') continue;
    bounded[exclusive] = bounded[bound];
    delete bounded[bound];
  }
  return bounded;
}

/** In the order of the properties, whatever order a plugin's hash map gave: the same schema is the same bytes. */
function withRequired(schema: JsonSchema): JsonSchema {
  if (schema.required === undefined) return schema;
  const { required, ...rest } = schema;
  const names = new Set(textsOf(required));
  const declared = Object.keys(isJsonObject(schema.properties) ? schema.properties : {});
  const ordered = [
    ...declared.filter((name) => names.has(name)),
    ...[...names].filter((name) => !declared.includes(name)).sort(),
  ];
  return ordered.length > 0 ? { ...rest, required: ordered } : rest;
}

function withNull(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema;
  if (nullable === undefined) return schema;
  if (nullable !== true) return rest;
  const types = typesOf(rest);
  if (types.length === 0) return { anyOf: [rest, { type: 'null' }] };
  const listed = Array.isArray(rest.enum) && !rest.enum.includes(null) ? { enum: [...rest.enum, null] } : {};
  return { ...rest, type: [...new Set([...types, 'null'])], ...listed };
}
