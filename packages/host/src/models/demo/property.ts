import { isJsonObject, type JsonObject } from '@toolpost/protocol';

/** One property of a tool's input schema. */
export interface Property {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

export type PropertyKind =
  | 'choice'
  | 'number'
  | 'boolean'
  | 'list'
  | 'address'
  | 'path'
  | 'glob'
  | 'date'
  | 'text'
  | 'other';

/** The properties of an object schema, required ones first. */
export function propertiesOf(schema: JsonObject): Property[] {
  const all = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const list = Object.entries(all).map(([name, value]) => ({
    name,
    schema: isJsonObject(value) ? value : {},
    required: required.includes(name),
  }));
  return [...list.filter((property) => property.required), ...list.filter((property) => !property.required)];
}

/** What a property can be filled from. The name or the format tells paths, globs and addresses from other texts. */
export function kindOf({ name, schema }: Property): PropertyKind {
  if (Array.isArray(schema.enum) || 'const' in schema) return 'choice';
  const types = [schema.type].flat();
  const type = types.find((candidate) => candidate !== 'null');
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return 'list';
  if (type !== 'string' && type !== undefined) return 'other';
  if (schema.format === 'date') return 'date';
  if (schema.format === 'uri' || /(?:^|_|[a-z])ur[il]$/i.test(name)) return 'address';
  if (/(?:^|_|[a-z])(?:glob|pattern)$/i.test(name)) return 'glob';
  return /(?:^|_|[a-z])(?:path|file|dir|directory|folder)$/i.test(name) ? 'path' : 'text';
}
