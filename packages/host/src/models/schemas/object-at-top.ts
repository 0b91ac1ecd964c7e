import type { JsonSchema } from '@toolpost/protocol';
import { isJsonObject } from '@toolpost/protocol';
import { mergedAllOf } from './merge-all-of.ts';
import { branchesOf, propertiesOf, textsOf, typesOf } from './subschemas.ts';

/** The one argument that holds the input where its schema cannot stand at the top. */
const WRAPPER = 'input';
/** They only narrow what the rest lets through: a provider that refuses them at the top loses nothing that is not checked here. */
const NARROWING = [
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
];

export interface TopLevel {
  readonly schema: JsonSchema;
  /** The argument that the input stands in, when it was wrapped. */
  readonly wrappedIn?: string;
  /** Whether rules were left out that the host checks. */
  readonly isLoosened: boolean;
}

/**
 * Every provider takes an object schema at the top, most of them without alternatives. An `allOf` is merged; alternatives
 * that only name different required fields become a sentence; any other union stands in an object of one argument.
 */
export function objectAtTop(given: JsonSchema): TopLevel {
  const merged = mergedAllOf(given);
  const narrowed = without(merged, NARROWING);
  const isLoosened = Object.keys(narrowed).length < Object.keys(merged).length;
  const alternatives = [...branchesOf(narrowed, 'anyOf'), ...branchesOf(narrowed, 'oneOf')];
  const onlyRequired = alternatives.every((branch) => isJsonObject(branch) && namesOnlyRequired(branch));
  if (isObject(narrowed) && onlyRequired) {
    const schema = { type: 'object', ...without(narrowed, ['anyOf', 'oneOf', 'enum', 'const', 'type']) };
    return {
      schema: described(schema, alternatives.filter(isJsonObject)),
      isLoosened: isLoosened || alternatives.length > 0,
    };
  }
  const wrapped = { type: 'object', properties: { [WRAPPER]: narrowed }, required: [WRAPPER] };
  return { schema: wrapped, wrappedIn: WRAPPER, isLoosened };
}

function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function isObject(schema: JsonSchema): boolean {
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('object');
  return isJsonObject(schema.properties) || !(schema.anyOf || schema.oneOf || schema.enum || 'const' in schema);
}

/** As in "one of these two fields must be given". */
function namesOnlyRequired(branch: JsonSchema): boolean {
  return Object.keys(branch).every((keyword) => ['required', 'type', 'title', 'description', 'not'].includes(keyword));
}

function described(schema: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const known = Object.keys(propertiesOf(schema));
  const groups = alternatives.map(({ required }) =>
    textsOf(required)
      .filter((name) => known.includes(name))
      .join(' and '),
  );
  const named = [...new Set(groups.filter((group) => group !== ''))];
  if (named.length < 2) return schema;
  const sentence = `Give ${named.join(', or ')}.`;
  return { ...schema, description: [schema.description, sentence].filter(Boolean).join(' ') };
}
