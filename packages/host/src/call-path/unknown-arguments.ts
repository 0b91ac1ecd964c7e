import { isJsonObject, type JsonObject, type ToolDefinition } from '@toolpost/protocol';
import { suggestNames } from '../registry/suggest-names.ts';

/** With one of these a schema may know more names than its `properties`. */
const MORE_NAMES = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
];

/**
 * Arguments that the tool does not know, which it most likely drops without a word: one sentence each, with near names.
 * None where the schema takes others on purpose, or refuses them anyway.
 */
export function unknownArguments({ name, inputSchema }: ToolDefinition, input: JsonObject): string[] {
  const { properties, additionalProperties } = inputSchema;
  if (!isJsonObject(properties) || additionalProperties !== undefined) return [];
  const known = Object.keys(properties);
  if (known.length === 0 || MORE_NAMES.some((key) => Object.hasOwn(inputSchema, key))) return [];
  return Object.keys(input)
    .filter((key) => !Object.hasOwn(properties, key))
    .map((key) => {
      const near = suggestNames(key, known);
      const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it has ${known.slice(0, 20).join(', ')}`;
      return `${name} has no argument ${JSON.stringify(key)}: ${hint}`;
    });
}
