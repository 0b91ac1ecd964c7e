import { isJsonObject, type JsonObject, type JsonSchema } from '../json.ts';
import { nearNames } from '../near-names.ts';
import { type Findings, keyPath, noteWrong } from './findings.ts';
import type { ReadBy, RequiredShape, Shape } from './shape.ts';

type Fields = Readonly<Record<string, Shape<unknown> & { readonly isRequired?: true }>>;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends RequiredShape<unknown> ? K : never }[keyof F];
type ObjectReadBy<F extends Fields> = { [K in RequiredKeys<F>]: ReadBy<F[K]> } & {
  [K in Exclude<keyof F, RequiredKeys<F>>]?: ReadBy<F[K]>;
};

const AN_OBJECT = 'an object, in { }';

export function list<T>(item: Shape<T>, options: { maxItems?: number; right?: string } = {}): Shape<T[]> {
  const { maxItems = 10_000, right = 'a list, in [ ]' } = options;
  return {
    read(value, path, findings) {
      if (!Array.isArray(value)) return noteWrong(findings, path, value, right);
      if (value.length > maxItems) {
        findings.problems.push(`${path}: found ${value.length} items, expected at most ${maxItems}`);
        return undefined;
      }
      const items: T[] = [];
      value.forEach((element, index) => {
        const read = item.read(element, `${path}[${index}]`, findings);
        if (read !== undefined) items.push(read);
      });
      return items;
    },
    schema: { type: 'array', items: item.schema },
  };
}

/** An object whose keys are names that the author chose. A name that does not match `keys` is ignored, with a warning. */
export function record<T>(item: Shape<T>, keys?: { pattern: RegExp; right: string }): Shape<Record<string, T>> {
  return {
    read(value, path, findings) {
      if (!isJsonObject(value)) return noteWrong(findings, path, value, AN_OBJECT);
      const entries: [string, T][] = [];
      for (const [key, element] of Object.entries(value)) {
        if (keys && !keys.pattern.test(key)) {
          findings.warnings.push(`${keyPath(path, key)}: ignored, because its name is not ${keys.right}`);
          continue;
        }
        const read = item.read(element, keyPath(path, key), findings);
        if (read !== undefined) entries.push([key, read]);
      }
      return Object.fromEntries(entries);
    },
    schema: { type: 'object', additionalProperties: item.schema },
  };
}

/** Any JSON object, kept as it is. */
export function anyObject(): Shape<JsonObject> {
  return {
    read: (value, path, findings) => (isJsonObject(value) ? value : noteWrong(findings, path, value, AN_OBJECT)),
    schema: { type: 'object' },
  };
}

/** Any JSON value, kept as it is. */
export function anything(): Shape<unknown> {
  return { read: (value) => value, schema: {} };
}

/**
 * An object with known fields. `null` counts as absent, since Go writes its unset lists so. With `snakeCase`, a key like
 * `input_schema` is read as the field `inputSchema`. An unknown key is a warning that names the field probably meant.
 */
export function object<F extends Fields>(fields: F, options: { snakeCase?: boolean } = {}): Shape<ObjectReadBy<F>> {
  return {
    read(value, path, findings) {
      if (!isJsonObject(value)) return noteWrong(findings, path, value, AN_OBJECT);
      const keys = keysByField(value, { fields, snakeCase: options.snakeCase ?? false, path, findings });
      const result: JsonObject = {};
      let isComplete = true;
      for (const [name, field] of Object.entries(fields)) {
        const key = keys.get(name);
        const read = key === undefined ? undefined : field.read(value[key], keyPath(path, key), findings);
        if (read !== undefined) result[name] = read;
        else if (field.isRequired) {
          isComplete = false;
          if (key === undefined) findings.problems.push(`${keyPath(path, name)}: missing; ${need(field)}`);
        }
      }
      return isComplete ? (result as ObjectReadBy<F>) : undefined;
    },
    schema: objectSchema(fields),
  };
}

function need({ schema }: Shape<unknown>): string {
  return typeof schema.description === 'string' ? `it is needed: ${schema.description}` : 'it is needed';
}

/** Which key of `value` holds each field, in the author's spelling. */
function keysByField(
  value: JsonObject,
  reading: { fields: Fields; snakeCase: boolean; path: string; findings: Findings },
): Map<string, string> {
  const { fields, path, findings } = reading;
  const keys = new Map<string, string>();
  for (const [key, element] of Object.entries(value)) {
    const name = reading.snakeCase && !Object.hasOwn(fields, key) ? camelCase(key) : key;
    if (!Object.hasOwn(fields, name)) {
      if (key !== '$schema') findings.warnings.push(unknownKey(keyPath(path, key), key, Object.keys(fields)));
    } else if (element === null || element === undefined) {
      // Absent.
    } else if (name !== key && (keys.has(name) || (value[name] ?? undefined) !== undefined)) {
      findings.warnings.push(`${keyPath(path, key)}: ignored, because ${keyPath(path, name)} says the same`);
    } else keys.set(name, key);
  }
  return keys;
}

function unknownKey(path: string, key: string, names: string[]): string {
  const [meant] = nearNames(key, names);
  return `${path}: unknown key, ignored${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
}

function camelCase(key: string): string {
  return key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function objectSchema(fields: Fields): JsonSchema {
  const needed = Object.keys(fields).filter((name) => fields[name]?.isRequired);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}
