import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { atPointer } from './json-pointer.ts';
import { ProjectionRefusal } from './projection-refusal.ts';
import { type AnySchema, isSchema, mapSubschemas, typesOf } from './subschemas.ts';

/** A recursive type is written out this many times within itself; a model needs no more to see the pattern. */
const MAX_RECURSION = 2;
/** Definitions that use one another twice double at each level: more parts than this is nothing for a model. */
const MAX_PARTS = 5_000;

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** A property may be called `id`, but that one stands within `properties`; here an `id` is draft 4's. */
const BOOKKEEPING = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$comment', '$vocabulary', '$dynamicAnchor', '$recursiveAnchor'],
  ...['$defs', 'definitions', ...REFERENCES],
]);
/** They describe; beside a reference they change nothing of what it lets through. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

export interface Inlined {
  readonly schema: JsonSchema;
  readonly hadReferences: boolean;
  readonly wasRecursive: boolean;
}

/**
 * The schema with each local reference replaced by what it refers to, and without the definitions. Where a type is
 * within itself the innermost level says only what kind of value it is: a cycle is cut, never dropped.
 * @throws ProjectionRefusal for a reference to elsewhere, which is never fetched, and for a schema that explodes.
 */
export function inlineReferences(root: JsonSchema): Inlined {
  const targets = namedSchemas(root);
  let parts = 0;
  let hadReferences = false;
  let wasRecursive = false;

  function expand(schema: AnySchema, path: readonly string[]): AnySchema {
    parts += 1;
    if (parts > MAX_PARTS)
      throw new ProjectionRefusal(`it has more than ${MAX_PARTS} parts once its references are written out`);
    if (!isJsonObject(schema)) return schema;
    const { reference, rest } = takeReference(schema);
    const inner = mapSubschemas(rest, (one) => expand(one, path));
    if (reference === undefined) return inner;
    hadReferences = true;
    return joined(follow(reference, path), inner);
  }

  function follow(reference: string, path: readonly string[]): AnySchema {
    const target = resolve(reference, root, targets);
    if (path.filter((one) => one === reference).length < MAX_RECURSION) return expand(target, [...path, reference]);
    wasRecursive = true;
    return innermost(target, reference);
  }

  const schema = expand(root, ['#']);
  return { schema: isJsonObject(schema) ? schema : {}, hadReferences, wasRecursive };
}

function takeReference(schema: JsonSchema): { reference: string | undefined; rest: JsonSchema } {
  const [reference] = REFERENCES.flatMap((keyword) => {
    const value = schema[keyword];
    return typeof value === 'string' ? [value] : [];
  });
  const kept = Object.entries(schema).filter(([keyword]) => !BOOKKEEPING.has(keyword));
  return { reference, rest: Object.fromEntries(kept) };
}

function joined(target: AnySchema, beside: JsonSchema): AnySchema {
  const names = Object.keys(beside);
  if (names.length === 0) return target;
  if (!isJsonObject(target)) return target ? beside : false;
  return names.every((name) => ANNOTATIONS.has(name)) ? { ...target, ...beside } : { allOf: [target, beside] };
}

/** What is left of a type at the bottom of its own recursion. */
function innermost(target: AnySchema, reference: string): JsonSchema {
  const name = reference.replace(/^.*[/#]/, '');
  const description = name === '' ? 'The same again.' : `Another ${name}.`;
  const types = isJsonObject(target) ? typesOf(target) : [];
  const looksLikeObject = isJsonObject(target) && isJsonObject(target.properties);
  if (types.length === 0) return looksLikeObject ? { type: 'object', description } : { description };
  return { type: types.length === 1 ? types[0] : types, description };
}

/** Everything that has a name of its own: `$anchor`, and `$id` of any draft. */
function namedSchemas(root: JsonSchema): Map<string, AnySchema> {
  const named = new Map<string, AnySchema>();
  const visit = (schema: AnySchema): AnySchema => {
    if (!isJsonObject(schema)) return schema;
    for (const keyword of ['$anchor', '$dynamicAnchor'])
      if (typeof schema[keyword] === 'string') named.set(`#${schema[keyword]}`, schema);
    for (const keyword of ['$id', 'id'])
      if (typeof schema[keyword] === 'string') named.set(schema[keyword].replace(/#$/, ''), schema);
    mapSubschemas(schema, visit);
    return schema;
  };
  visit(root);
  return named;
}

function resolve(reference: string, root: JsonSchema, named: ReadonlyMap<string, AnySchema>): AnySchema {
  const byName = named.get(reference) ?? named.get(reference.replace(/#$/, ''));
  if (byName !== undefined) return byName;
  const [address = '', pointer = ''] = reference.split('#', 2);
  const base = address === '' ? root : named.get(address);
  if (base === undefined) {
    throw new ProjectionRefusal(
      `it refers to ${reference}, which is not part of it: references to elsewhere are never fetched`,
    );
  }
  const target = atPointer(base, pointer);
  if (isSchema(target) && (pointer === '' || pointer.startsWith('/'))) return target;
  throw new ProjectionRefusal(`it refers to ${reference}, which it does not have`);
}
