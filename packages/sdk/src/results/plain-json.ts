import { isJsonObject, quoteValue } from '@toolpost/protocol';

const MAX_DEPTH = 200;

/** What a tool gave back cannot be carried; the message names the place. */
export class InvalidResult extends TypeError {
  override readonly name = 'InvalidResult';
}

/** Text without lone surrogates, which would poison every later request of the session. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/**
 * A value that JSON carries unchanged: the value itself when it is one, else its JSON form.
 * @throws InvalidResult when it has none: a cycle, a BigInt, nesting beyond 200 levels.
 */
export function toPlainJson(value: unknown, place: string): unknown {
  const depth = depthOfPlain(value, 0);
  if (depth === 'plain') return value;
  if (depth === 'too-deep' && !isCyclic(value)) throw new InvalidResult(`${place} is nested too deep`);
  return wellFormedCopy(JSON.parse(toJsonText(value, place)));
}

/**
 * The JSON text of a value.
 * @throws InvalidResult that says why there is none: a cycle, a BigInt, a function.
 */
export function toJsonText(value: unknown, place: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new InvalidResult(`${place} has no JSON form: ${reason}`, { cause: error });
  }
  if (text === undefined) throw new InvalidResult(`${place} has no JSON form: it is ${quoteValue(value)}`);
  return text;
}

function depthOfPlain(value: unknown, depth: number): 'plain' | 'not-plain' | 'too-deep' {
  if (typeof value === 'string') return value.isWellFormed() ? 'plain' : 'not-plain';
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? 'plain' : 'not-plain';
  if (value === null || typeof value === 'boolean') return 'plain';
  if (typeof value !== 'object') return 'not-plain';
  if (depth === MAX_DEPTH) return 'too-deep';
  if (Array.isArray(value)) {
    for (const item of value) {
      const inner = depthOfPlain(item, depth + 1);
      if (inner !== 'plain') return inner;
    }
    return 'plain';
  }
  return depthOfObject(value, depth);
}

function depthOfObject(value: object, depth: number): 'plain' | 'not-plain' | 'too-deep' {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return 'not-plain';
  for (const key in value) {
    if (!key.isWellFormed()) return 'not-plain';
    const inner = depthOfPlain((value as Record<string, unknown>)[key], depth + 1);
    if (inner !== 'plain') return inner;
  }
  return 'toJSON' in value ? 'not-plain' : 'plain';
}

/** JSON.stringify names a cycle better than a depth would. */
function isCyclic(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}

function wellFormedCopy(value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedCopy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toWellFormed(key), wellFormedCopy(inner)]));
}
