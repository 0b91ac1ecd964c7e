import { isJsonObject, type JsonObject } from '@toolpost/protocol';

export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'text' | 'number' | 'checkbox' | 'choice';
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  readonly initial: string;
}

/** The fields of a flat JSON Schema. */
export function readFields(schema: JsonObject): readonly Field[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, value]) => {
    const property = isJsonObject(value) ? value : {};
    const choices = Array.isArray(property.enum) ? property.enum.map(String) : [];
    return {
      ...{ name, choices, kind: kindOf(property, choices), isRequired: required.includes(name) },
      title: typeof property.title === 'string' ? property.title : name,
      description: typeof property.description === 'string' ? property.description : '',
      initial: property.default === undefined ? '' : String(property.default),
    };
  });
}

function kindOf({ type }: JsonObject, choices: readonly string[]): Field['kind'] {
  if (choices.length > 0) return 'choice';
  if (type === 'boolean') return 'checkbox';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** What was filled in, in the types of the schema; what was left empty is left out. */
export function readContent(fields: readonly Field[], values: Readonly<Record<string, string>>): JsonObject {
  const content: JsonObject = {};
  for (const { name, kind, initial, isRequired } of fields) {
    const value = values[name] ?? initial;
    if (kind === 'checkbox') content[name] = value === 'true';
    else if (value === '' && !(isRequired && kind === 'text')) continue;
    else content[name] = kind === 'number' ? Number(value) : value;
  }
  return content;
}
