import type { JsonObject, JsonSchema } from '@toolpost/protocol';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';

export type { ErrorObject };
export type Validate = ValidateFunction<JsonObject>;

const OPTIONS = {
  allErrors: true,
  strict: false,
  // A required field named `constructor` is not there because every object inherits one.
  ownProperties: true,
  validateSchema: false,
  validateFormats: false,
  // Two tools may carry one `$id`: no schema may become known to another one.
  addUsedSchema: false,
  meta: false,
  verbose: false,
  logger: false,
} as const;

let draft2020: Ajv | undefined;
let draft07: Ajv | undefined;

/**
 * Compiles an input schema: draft 2020-12, or draft-07 when it says so or uses its tuples. Never fetches a `$ref`.
 * Ajv is loaded at the first call, as a start that only lists does not need it.
 * @throws Error with Ajv's reason.
 */
export async function compileSchema(schema: JsonSchema): Promise<Validate> {
  const { $schema, $id: _id, ...rest } = schema;
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
  draft2020 ??= new Ajv2020(OPTIONS);
  return draft2020.compile<JsonObject>(schema);
}

async function compileDraft07(schema: JsonSchema): Promise<Validate> {
  const { Ajv } = await import('ajv');
  draft07 ??= new Ajv(OPTIONS);
  return draft07.compile<JsonObject>(schema);
}
