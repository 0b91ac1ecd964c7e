import { runBounded } from './run-bounded.ts';

/** Steps that take a few milliseconds at most. */
const MAX_FREE_STEPS = 1_000_000;
/** A repetition within a repetition, or of alternatives: each further character may double the time. */
const REPEATED_GROUP = /\)[*+{]/;

/** A pattern of a schema, as Ajv uses one. */
export interface SchemaPattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * A pattern from outside is tried on text from outside, and some take for ever: the tests that could are ended after a
 * second. JSON Schema asks for Unicode patterns; many authors write escapes such as `\_` that only the older syntax takes.
 */
export function compileSchemaPattern(pattern: string, flags: string): SchemaPattern {
  const regExp = toRegExp(pattern, flags);
  const maxFreeLength = maxFreeLengthOf(pattern);
  return {
    test: (text) => (text.length <= maxFreeLength ? regExp.test(text) : runBounded(() => regExp.test(text))),
    toString: () => String(regExp),
  };
}

/** How long a text may be so that trying the pattern on it is quick whatever both say. */
function maxFreeLengthOf(pattern: string): number {
  if (REPEATED_GROUP.test(pattern)) return Math.floor(Math.log2(MAX_FREE_STEPS));
  const repetitions = pattern.match(/[*+{]/g)?.length ?? 0;
  // Each one may end anywhere, and the first may begin anywhere.
  return Math.floor(MAX_FREE_STEPS ** (1 / (repetitions + 1)));
}

function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
