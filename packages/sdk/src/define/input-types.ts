import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonObject, JsonSchema, ToolParameter } from '@toolpost/protocol';

/** A Standard Schema that also carries a JSON Schema: zod 4 and ArkType 2 give one, valibot with its converter. */
export interface StandardSchemaWithJson<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaV1.Props<Input, Output> & StandardJSONSchemaV1.Props<Input, Output>;
}

/** The AI SDK's `jsonSchema(...)` and `zodSchema(...)`. */
export interface AiSdkSchema<T = unknown> {
  readonly _type: T;
  readonly jsonSchema: unknown;
  readonly validate?: unknown;
}

/** What `inputSchema` may be. */
export type InputSchema = StandardSchemaWithJson | AiSdkSchema | readonly ToolParameter[] | PlainJsonSchema;

/** A JSON Schema, which a Standard Schema that carries none is not. */
export type PlainJsonSchema = JsonSchema & { readonly '~standard'?: never };

/** The input that `execute` gets: validated, with defaults filled in and transforms done. */
export type ExecuteInput<Schema> =
  Schema extends StandardSchemaWithJson<infer _Input, infer Output> ? Output : PlainInput<Schema>;

/** The input that a caller gives. */
export type CallerInput<Schema> =
  Schema extends StandardSchemaWithJson<infer Input, infer _Output> ? Input : PlainInput<Schema>;

type PlainInput<Schema> =
  Schema extends AiSdkSchema<infer T>
    ? T
    : Schema extends readonly ToolParameter[]
      ? InputOfParameters<Schema>
      : Schema extends JsonSchema
        ? ObjectInput<Schema>
        : JsonObject;

/** The object that a parameter list describes. */
export type InputOfParameters<Parameters extends readonly ToolParameter[]> = Flat<
  { [P in Parameters[number] as P extends { required: true } ? P['name'] : never]: ValueOf<P> } & {
    [P in Parameters[number] as P extends { required: true } ? never : P['name']]?: ValueOf<P>;
  }
>;

/** An input is always an object, whatever its schema leaves out. */
type ObjectInput<Schema> = Schema extends { properties: infer Properties }
  ? Flat<
      { -readonly [K in keyof Properties as K extends RequiredKeys<Schema> ? K : never]: ValueOf<Properties[K]> } & {
        -readonly [K in keyof Properties as K extends RequiredKeys<Schema> ? never : K]?: ValueOf<Properties[K]>;
      }
    >
  : JsonObject;

type RequiredKeys<Schema> = Schema extends { required: readonly (infer Key)[] } ? Key : never;

/** The value that a JSON Schema literal describes; `unknown` where its words are not known here. */
type ValueOf<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { anyOf: readonly (infer Choice)[] } | { oneOf: readonly (infer Choice)[] }
      ? ValueOf<Choice>
      : Schema extends { type: readonly (infer Type)[] }
        ? Type extends unknown
          ? OfType<Type, Schema>
          : never
        : Schema extends { type: infer Type }
          ? OfType<Type, Schema>
          : unknown;

type OfType<Type, Schema> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? Schema extends { items: infer Items }
            ? ValueOf<Items>[]
            : unknown[]
          : Type extends 'object'
            ? ObjectInput<Schema>
            : unknown;

/** Shows an intersection as one object in editors and messages. */
type Flat<T> = { [K in keyof T]: T[K] };
