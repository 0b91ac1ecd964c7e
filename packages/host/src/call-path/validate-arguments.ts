import { type JsonObject, messageOf, type ToolDefinition } from '@toolpost/protocol';
import { CallStopped } from './call-stopped.ts';
import { compileSchema, type ErrorObject, type Validate } from './compile-schema.ts';
import { describeInvalid } from './describe-invalid.ts';
import { type PlainCheck, plainCheckOf } from './plain-check.ts';
import { putBackNulls, type Repair, type RepairOptions, repairArguments } from './repair-arguments.ts';

const MAX_ROUNDS = 4;
const NO_REPAIRS: readonly Repair[] = [];

export interface CheckedArguments {
  readonly input: JsonObject;
  readonly repairs: readonly Repair[];
}

/** Made at a tool's first call, kept as long as its definition. */
interface Validator {
  readonly plain: PlainCheck | undefined;
  full?: Validate;
}

const validators = new WeakMap<ToolDefinition, Validator>();

/**
 * Checks arguments by the tool's schema. What fails is repaired towards the declared type where that is certain,
 * and checked again; nothing that was valid is touched. Answers at once for most valid arguments.
 * @throws CallStopped `invalid-input` whose text names each field, what was expected and what came.
 */
export function checkArguments(
  tool: ToolDefinition,
  input: JsonObject,
  options: RepairOptions = {},
): CheckedArguments | Promise<CheckedArguments> {
  let validator = validators.get(tool);
  if (!validator) {
    validator = { plain: plainCheckOf(tool.inputSchema) };
    validators.set(tool, validator);
  }
  if (validator.plain?.(input)) return { input, repairs: NO_REPAIRS };
  const { full } = validator;
  return full ? checkFully(tool, full, { input, options }) : compileAndCheck(tool, validator, { input, options });
}

interface Given {
  readonly input: JsonObject;
  readonly options: RepairOptions;
}

async function compileAndCheck(tool: ToolDefinition, validator: Validator, given: Given): Promise<CheckedArguments> {
  try {
    validator.full = await compileSchema(tool.inputSchema);
  } catch (error) {
    throw unusableSchema(tool, error);
  }
  return checkFully(tool, validator.full, given);
}

function checkFully(tool: ToolDefinition, validate: Validate, { input, options }: Given): CheckedArguments {
  if (isValid(tool, validate, input)) return { input, repairs: NO_REPAIRS };
  const copy = structuredClone(input);
  const repairs: Repair[] = [];
  let errors: readonly ErrorObject[] = validate.errors ?? [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const more = repairArguments(copy, errors, options);
    if (more.length === 0) break;
    repairs.push(...more);
    if (isValid(tool, validate, copy)) return { input: copy, repairs };
    errors = validate.errors ?? [];
  }
  // What a repair has mended is no fault any more: only what is left is told.
  if (putBackNulls(copy, repairs, errors) && !isValid(tool, validate, copy)) errors = validate.errors ?? [];
  throw new CallStopped('invalid-input', describeInvalid(tool, { repaired: copy, errors, validate }));
}

/** A schema whose $refs go round without end overflows the stack only when it is used. */
function isValid(tool: ToolDefinition, validate: Validate, input: JsonObject): boolean {
  try {
    return validate(input);
  } catch (error) {
    throw unusableSchema(tool, error);
  }
}

function unusableSchema({ name }: ToolDefinition, error: unknown): CallStopped {
  const reason = messageOf(error);
  return new CallStopped(
    'failed',
    `The input schema of the tool ${name} cannot be used: ${reason}. The tool did not run; its author has to correct the schema.`,
  );
}
