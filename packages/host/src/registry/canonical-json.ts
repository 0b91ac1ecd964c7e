import { isJsonObject } from '@toolpost/protocol';

/** JSON text that is the same for two values that differ only in the order of members. The value must be JSON. */
export function canonicalJson(value: unknown): string {
  return write(value, false);
}

/** The same for a JSON Schema or what holds one, where the names in `required` are a set as well. */
export function canonicalSchemaJson(value: unknown): string {
  return write(value, true);
}

function write(value: unknown, isSchema: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, isSchema)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = isSchema && key === 'required' ? sortedNames(value[key]) : value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, isSchema)}`);
  }
  return `{${members.join(',')}}`;
}

function sortedNames(value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
}
