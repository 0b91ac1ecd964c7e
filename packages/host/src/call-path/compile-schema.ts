import type { JsonObject, JsonSchema } from '@toolpost/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { withoutBareNullable } from './openapi-nullable.ts';
import { runBounded } from './run-bounded.ts';
import { compileSchemaPattern } from './schema-pattern.ts';

export type { ErrorObject };

/** Checks arguments, and keeps what is wrong with the last ones. @throws RangeError when that takes too long. */
export interface Validate {
  (input: JsonObject): boolean;
  errors?: ErrorObject[] | null;
}

const OPTIONS = {
  allErrors: true,
  strict: false,
  // A required field named `constructor` is not there because every object inherits one.
  ownProperties: true,
  validateSchema: false,
  validateFormats: false,
  meta: false,
  verbose: false,
  logger: false,
  // `code` is what Ajv would write into code that it exports, which is not done here.
  code: { regExp: Object.assign(compileSchemaPattern, { code: 'compileSchemaPattern' }) },
} as const;

/**
 * Compiles an input schema: draft 2020-12, or draft-07 when it says so or uses its tuples. Never fetches a `$ref`.
 * Each gets an Ajv of its own: two tools may carry one `$id` for different schemas, and what a plugin offered goes with it.
 * Ajv is loaded at the first call, as a start that only lists does not need it.
 * @throws Error with Ajv's reason.
 */
export async function compileSchema(schema: JsonSchema): Promise<Validate> {
  const { $schema, ...given } = schema;
  const text = JSON.stringify(given);
  const rest = text.includes('"nullable"') ? withoutBareNullable(given) : given;
  const validate = await compileByDialect($schema, rest);
  return text.split(REFERENCE, 3).length > 2 ? bounded(validate) : validate;
}

const REFERENCE = /"\$(?:ref|dynamicRef|recursiveRef)"/;

async function compileByDialect($schema: unknown, rest: JsonSchema): Promise<ValidateFunction<JsonObject>> {
  if (typeof $schema === 'string' && /draft-0[4-7]/.test($schema)) return compileDraft07(rest);
  try {
    return await compileDraft2020(rest);
  } catch (error) {
    return compileDraft07(rest).catch(() => {
      throw error;
    });
  }
}

async function compileDraft2020(schema: JsonSchema): Promise<ValidateFunction<JsonObject>> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS).compile<JsonObject>(schema);
}

async function compileDraft07(schema: JsonSchema): Promise<ValidateFunction<JsonObject>> {
  const { Ajv } = await import('ajv');
  return new Ajv(OPTIONS).compile<JsonObject>(schema);
}

/** Where subschemas refer to one another, each level of them or of the arguments may double the time. */
function bounded(validate: ValidateFunction<JsonObject>): Validate {
  const check: Validate = (input) => {
    const isValid = runBounded(() => validate(input));
    check.errors = validate.errors ?? null;
    return isValid;
  };
  return check;
}
