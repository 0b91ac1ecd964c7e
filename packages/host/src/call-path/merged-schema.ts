import { isJsonObject, type JsonSchema } from '@toolpost/protocol';
import { atPointer } from '../models/schemas/json-pointer.ts';

const MAX_STEPS = 20;

/**
 * A schema with its `$ref`, its `allOf` and the first branches of its `anyOf` and `oneOf` laid over one another: enough
 * to make an example of it, not to validate by it.
 */
export function mergedSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let merged: JsonSchema = {};
  const waiting: unknown[] = [schema];
  for (let step = 0; step < MAX_STEPS && waiting.length > 0; step++) {
    const next = waiting.shift();
    if (!isJsonObject(next)) continue;
    const { $ref, allOf, anyOf, oneOf, ...own } = next;
    merged = lay(merged, own);
    if (typeof $ref === 'string') waiting.push(resolveLocal(root, $ref));
    if (Array.isArray(allOf)) waiting.push(...allOf);
    for (const branches of [anyOf, oneOf]) if (Array.isArray(branches)) waiting.push(branches[0]);
  }
  return merged;
}

/** What stands nearer to the place of use wins; fields come together. */
function lay(near: JsonSchema, far: JsonSchema): JsonSchema {
  return {
    ...far,
    ...near,
    ...together(near, far),
  };
}

function together(near: JsonSchema, far: JsonSchema): JsonSchema {
  const parts: JsonSchema = {};
  if (isJsonObject(near.properties) && isJsonObject(far.properties))
    parts.properties = { ...far.properties, ...near.properties };
  if (Array.isArray(near.required) && Array.isArray(far.required))
    parts.required = [...new Set([...near.required, ...far.required])];
  return parts;
}

function resolveLocal(root: JsonSchema, ref: string): unknown {
  return ref.startsWith('#') ? atPointer(root, ref.slice(1)) : {};
}
