import { isJsonObject } from '@toolpost/protocol';

/**
 * JSON text that is the same for two values of the same meaning: members sorted by code units, and the names in a
 * schema's `required` too, which is a set. The value must be JSON (no cycles).
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members.push(`${JSON.stringify(key)}:${canonicalJson(key === 'required' ? sortedNames(member) : member)}`);
  }
  return `{${members.join(',')}}`;
}

function sortedNames(value: unknown): unknown {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.toSorted() : value;
}
