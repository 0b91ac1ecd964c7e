import { isJsonObject, type JsonObject, type JsonSchema } from '@toolpost/protocol';

/** Says for certain that arguments are valid. `false` means nothing: the full validator decides then. */
export type PlainCheck = (input: JsonObject) => boolean;

interface PlainField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly accepts: (value: unknown) => boolean;
}

const ROOT_KEYS = new Set([
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]);
const FIELD_KEYS = new Set(['type', 'title', 'description', 'default', 'examples', 'enum']);
const BY_TYPE: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
};

/**
 * Most tools take a few texts, numbers and flags. For such a schema the check is a loop; the full validator, which costs
 * a start of the command as much as everything else, is made only when arguments do not pass it or a schema says more.
 * @returns undefined when the schema says anything that this does not fully understand.
 */
export function plainCheckOf(schema: JsonSchema): PlainCheck | undefined {
  if (schema.type !== 'object' || !Object.keys(schema).every((key) => ROOT_KEYS.has(key))) return undefined;
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required) || typeof additionalProperties !== 'boolean')
    return undefined;
  if (!required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))) return undefined;
  const fields: PlainField[] = [];
  for (const [name, field] of Object.entries(properties)) {
    // Ajv has rules of its own for this name.
    if (name === '__proto__') return undefined;
    const accepts = acceptsOf(field);
    if (!accepts) return undefined;
    fields.push({ name, isRequired: required.includes(name), accepts });
  }
  return (input) =>
    fields.every((field) => isValidField(field, input)) && (additionalProperties || hasOnly(properties, input));
}

function acceptsOf(field: unknown): ((value: unknown) => boolean) | undefined {
  if (!isJsonObject(field) || !Object.keys(field).every((key) => FIELD_KEYS.has(key))) return undefined;
  const ofType = typeof field.type === 'string' && Object.hasOwn(BY_TYPE, field.type) ? BY_TYPE[field.type] : undefined;
  if (!ofType || field.enum === undefined) return ofType;
  const { enum: allowed } = field;
  return Array.isArray(allowed) ? (value) => ofType(value) && allowed.includes(value) : undefined;
}

function isValidField({ name, isRequired, accepts }: PlainField, input: JsonObject): boolean {
  return Object.hasOwn(input, name) ? accepts(input[name]) : !isRequired;
}

function hasOnly(properties: JsonObject, input: JsonObject): boolean {
  for (const name in input) if (!Object.hasOwn(properties, name)) return false;
  return true;
}
