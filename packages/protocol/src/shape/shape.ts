import type { JsonSchema } from '../json.ts';
import type { Findings } from './findings.ts';

/**
 * What a hand-written JSON file may hold, as data: it reads a value, names all that is wrong with it in words for a
 * person, and gives the JSON Schema for editors. Manifests and settings are read at every start, and importing zod takes
 * twice as long as starting Node: that is why these are not zod schemas.
 */
export interface Shape<T> {
  /** The value read, or undefined after noting why not. `path` is dotted: `plugins.disabled[0]`. */
  read(value: unknown, path: string, findings: Findings): T | undefined;
  readonly schema: JsonSchema;
}

/** A field that an object must have. */
export interface RequiredShape<T> extends Shape<T> {
  readonly isRequired: true;
}

/** The type that a shape reads. */
export type ReadBy<S> = S extends Shape<infer T> ? T : never;

export function required<T>(shape: Shape<T>): RequiredShape<T> {
  return { ...shape, isRequired: true };
}

/** Adds the sentence that an editor shows for a field, and an error for a missing one. */
export function about<T>(description: string, shape: Shape<T>): Shape<T> {
  return { ...shape, schema: { ...shape.schema, description } };
}

/** Adds a check over the whole value that was read; it notes its own problems. */
export function checked<T>(shape: Shape<T>, check: (value: T, path: string, findings: Findings) => void): Shape<T> {
  return {
    schema: shape.schema,
    read(value, path, findings) {
      const read = shape.read(value, path, findings);
      if (read !== undefined) check(read, path, findings);
      return read;
    },
  };
}
