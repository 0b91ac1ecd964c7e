import { isJsonObject, type JsonSchema, messageOf } from '@toolpost/protocol';
import { compileSchema, type Validate } from './compile-schema.ts';

/** A server may list tools again and again, each time as new objects: what nobody holds is compiled no more. */
const compiled = new WeakMap<JsonSchema, Promise<Validate>>();

/**
 * Checks structured content by a tool's output schema.
 * @returns what is wrong with it, or with the schema itself; undefined when all is well.
 */
export async function checkOutput(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  if (!isJsonObject(value)) return 'it is no object';
  try {
    const known = compiled.get(schema) ?? compileSchema(schema);
    compiled.set(schema, known);
    const validate = await known;
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || 'it'} ${first?.message ?? 'does not fit'}`;
  } catch (error) {
    return `the schema cannot be used: ${messageOf(error)}`;
  }
}
