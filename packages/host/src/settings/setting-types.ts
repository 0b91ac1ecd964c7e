import { quoteValue } from '@toolpost/protocol';

const IN_WORDS: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The words that manifests have for the types of JSON. */
const SYNONYMS: Readonly<Record<string, string>> = {
  text: 'string',
  password: 'string',
  select: 'string',
  toggle: 'boolean',
  list: 'array',
};

/** The JSON type that a declared type means; undefined for one that is not known and takes everything. */
function jsonTypeOf(declared: string): string | undefined {
  const type = SYNONYMS[declared] ?? declared;
  return Object.hasOwn(IN_WORDS, type) ? type : undefined;
}

/** What is wrong with a value for its declared type, without the value where it is secret; undefined when it fits. */
export function typeProblem(declared: string, value: unknown, isSecret: boolean): string | undefined {
  const type = jsonTypeOf(declared);
  if (type === undefined || isOfType(value, type)) return undefined;
  const found = isSecret ? `a ${Array.isArray(value) ? 'list' : typeof value}` : quoteValue(value);
  return `found ${found}, expected ${IN_WORDS[type]}`;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** A text of a variable, file or program as the declared type; the text itself where it cannot be that. */
export function textAsType(declared: string, text: string): unknown {
  const type = jsonTypeOf(declared);
  if (type === undefined || type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
