import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  quoteValue,
  schemaOfParameters,
  toObjectSchema,
} from '@toolpost/protocol';

const TARGET = 'draft-2020-12';

/** A validator's verdict: the value it makes of the input, or what is wrong, one line each. */
export type Verdict = { ok: true; value: unknown } | { ok: false; issues: string[] };

/** A schema of any accepted kind, once read. `validate` is there when the author's library does more than the schema. */
export interface ReadSchema {
  jsonSchema: JsonSchema;
  validate?: (value: unknown) => Verdict | Promise<Verdict>;
}

/**
 * Reads an input schema: a Standard Schema with a JSON Schema, the AI SDK's wrapper, the short parameter list, or a
 * JSON Schema. Nothing at all is an empty object.
 * @throws TypeError that says what to write instead; for a schema without a JSON Schema, it names the converter.
 */
export function readInputSchema(schema: unknown): ReadSchema {
  if (schema === undefined || schema === null) return { jsonSchema: { type: 'object', properties: {} } };
  if (Array.isArray(schema)) return { jsonSchema: schemaOfParameters(schema) };
  const standard = standardPropsOf(schema);
  if (standard) {
    const validate = validatorOf(standard);
    return {
      jsonSchema: toObjectSchema(writeJsonSchema(standard, 'input'), 'inputSchema'),
      ...(validate && { validate }),
    };
  }
  if (isAiSdkSchema(schema)) return readAiSdkSchema(schema);
  return { jsonSchema: toObjectSchema(schema, 'inputSchema') };
}

/**
 * Reads an output schema: a Standard Schema with a JSON Schema, or a JSON Schema.
 * @throws TypeError as readInputSchema does.
 */
export function readOutputSchema(schema: unknown): JsonSchema | undefined {
  if (schema === undefined || schema === null) return undefined;
  const standard = standardPropsOf(schema);
  if (standard) return writeJsonSchema(standard, 'output');
  if (isAiSdkSchema(schema) && isJsonObject(schema.jsonSchema)) return schema.jsonSchema;
  if (isJsonObject(schema)) return schema;
  throw new TypeError(`outputSchema must be a JSON Schema object, got ${quoteValue(schema)}`);
}

/** ArkType's schemas are functions, so any object-like value may carry the marker. */
function standardPropsOf(schema: unknown): JsonObject | undefined {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return undefined;
  const props: unknown = Reflect.get(schema, '~standard');
  return isJsonObject(props) ? props : undefined;
}

function writeJsonSchema(standard: JsonObject, side: 'input' | 'output'): JsonSchema {
  const converter = standard.jsonSchema;
  const convert = isJsonObject(converter) ? converter[side] : undefined;
  if (typeof convert !== 'function') throw new TypeError(withoutJsonSchema(String(standard.vendor), side));
  try {
    // The dialect is the default one, so that naming it in every request to a model is a waste.
    const { $schema: _dialect, ...schema } = convert.call(converter, { target: TARGET });
    return schema;
  } catch (error) {
    const reason = error instanceof Error ? error.message : quoteValue(error);
    throw new TypeError(`${side}Schema cannot be written as JSON Schema: ${reason}`, { cause: error });
  }
}

function withoutJsonSchema(vendor: string, side: string): string {
  const remedies: Record<string, string> = {
    valibot: 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
    zod: 'use zod 4.2 or later, whose schemas carry one',
    arktype: 'use arktype 2.2 or later, whose schemas carry one',
  };
  const remedy = remedies[vendor] ?? 'convert it with a converter that follows the Standard JSON Schema specification';
  return `${side}Schema is a ${vendor} schema, which carries no JSON Schema: ${remedy}, or write the JSON Schema itself`;
}

function validatorOf(standard: JsonObject): ReadSchema['validate'] {
  const { validate } = standard;
  if (typeof validate !== 'function') return undefined;
  return (value) => {
    const result: unknown = validate.call(standard, value);
    return result instanceof Promise ? result.then(readVerdict) : readVerdict(result);
  };
}

function readVerdict(result: unknown): Verdict {
  if (!isJsonObject(result)) return { ok: false, issues: ['the schema gave no verdict'] };
  if (!result.issues) return { ok: true, value: result.value };
  const issues = Array.isArray(result.issues) ? result.issues : [result.issues];
  return { ok: false, issues: issues.map(describeIssue) };
}

function describeIssue(issue: unknown): string {
  if (!isJsonObject(issue)) return quoteValue(issue);
  const message = String(issue.message);
  if (!Array.isArray(issue.path) || issue.path.length === 0) return message;
  return `${issue.path.map((step) => String(isJsonObject(step) ? step.key : step)).join('.')}: ${message}`;
}

interface AiSdkSchemaLike {
  jsonSchema: unknown;
  validate?: unknown;
}

function isAiSdkSchema(schema: unknown): schema is AiSdkSchemaLike {
  return isJsonObject(schema) && Reflect.get(schema, Symbol.for('vercel.ai.schema')) === true && 'jsonSchema' in schema;
}

function readAiSdkSchema(schema: AiSdkSchemaLike): ReadSchema {
  if (schema.jsonSchema instanceof Promise) {
    throw new TypeError('inputSchema comes later: await its jsonSchema, and pass that');
  }
  const jsonSchema = toObjectSchema(schema.jsonSchema, 'inputSchema');
  const { validate } = schema;
  if (typeof validate !== 'function') return { jsonSchema };
  return { jsonSchema, validate: async (value) => readAiSdkVerdict(await validate(value)) };
}

function readAiSdkVerdict(result: unknown): Verdict {
  if (isJsonObject(result) && result.success === true) return { ok: true, value: result.value };
  const error = isJsonObject(result) ? result.error : undefined;
  return { ok: false, issues: [error instanceof Error ? error.message : 'the schema refused the input'] };
}
