import type { JsonObject, JsonSchema } from '@toolpost/protocol';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { withoutBareNullable } from './openapi-nullable.ts';

export type { ErrorObject };
export type Validate = ValidateFunction<JsonObject>;

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
  code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
} as const;

/**
 * Compiles an input schema: draft 2020-12, or draft-07 when it says so or uses its tuples. Never fetches a `$ref`.
 * Each gets an Ajv of its own: two tools may carry one `$id` for different schemas, and what a plugin offered goes with it.
 * Ajv is loaded at the first call, as a start that only lists does not need it.
 * @throws Error with Ajv's reason.
 */
export async function compileSchema(schema: JsonSchema): Promise<Validate> {
  const { $schema, ...given } = schema;
  const rest = JSON.stringify(given).includes('"nullable"') ? withoutBareNullable(given) : given;
  if (typeof $schema === 'string' && /draft-0[4-7]/.test($schema)) return compileDraft07(rest);
  try {
    return await compileDraft2020(rest);
  } catch (error) {
    return compileDraft07(rest).catch(() => {
      throw error;
    });
  }
}

async function compileDraft2020(schema: JsonSchema): Promise<Validate> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS).compile<JsonObject>(schema);
}

async function compileDraft07(schema: JsonSchema): Promise<Validate> {
  const { Ajv } = await import('ajv');
  return new Ajv(OPTIONS).compile<JsonObject>(schema);
}

/** JSON Schema asks for Unicode patterns; many authors write escapes such as `\_` that only the older syntax takes. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
