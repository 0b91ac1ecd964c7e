import type { JsonSchema } from '@toolpost/protocol';

const isText = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
/** Draft 4 has a flag there. */
const isBound = (value: unknown): boolean => isNumber(value) || isFlag(value);

/** What the value of a keyword has to be, in every draft. */
const FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  Object.entries({
    ...same(['title', 'description', 'format', '$comment', 'contentEncoding', 'contentMediaType'], isText),
    ...same(['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'], isCount),
    ...same(['minProperties', 'maxProperties'], isCount),
    ...same(['minimum', 'maximum'], isNumber),
    ...same(['exclusiveMinimum', 'exclusiveMaximum'], isBound),
    ...same(['uniqueItems', 'readOnly', 'writeOnly', 'deprecated'], isFlag),
    examples: Array.isArray,
    // An empty list would let nothing through, and is refused.
    enum: (value: unknown) => Array.isArray(value) && value.length > 0,
    multipleOf: (value: unknown) => isNumber(value) && Number(value) > 0,
    pattern: isPattern,
  }),
);

/** The schema without keywords whose value says nothing: a provider would refuse the whole request for one of them. */
export function wellFormed(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema);
  const kept = entries.filter(([keyword, value]) => FORMS.get(keyword)?.(value) ?? true);
  return kept.length === entries.length ? schema : Object.fromEntries(kept);
}

function same(keywords: readonly string[], form: (value: unknown) => boolean): Record<string, typeof form> {
  return Object.fromEntries(keywords.map((keyword) => [keyword, form]));
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
