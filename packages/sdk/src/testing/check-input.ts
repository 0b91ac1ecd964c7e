import { isJsonObject, type JsonSchema, quoteValue } from '@toolpost/protocol';

/**
 * What the host's validator would say first: a missing required field, or one of the wrong type. Deeper rules are the
 * host's; this package carries no validator.
 */
export function checkInput(schema: JsonSchema, input: unknown): string[] {
  if (!isJsonObject(input)) return [`the input must be an object, got ${quoteValue(input)}`];
  const problems: string[] = [];
  for (const field of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof field === 'string' && !Object.hasOwn(input, field)) problems.push(`${field} is required`);
  }
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const [field, value] of Object.entries(input)) {
    const declared = Object.hasOwn(properties, field) ? properties[field] : undefined;
    const types = isJsonObject(declared) ? [declared.type].flat().filter((type) => typeof type === 'string') : [];
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      problems.push(`${field} must be ${types.join(' or ')}, got ${quoteValue(value)}`);
    }
  }
  return problems;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
