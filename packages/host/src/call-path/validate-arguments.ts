import type { JsonObject, ToolDefinition } from '@toolpost/protocol';
import { CallStopped } from './call-stopped.ts';
import { compileSchema, type ErrorObject, type Validate } from './compile-schema.ts';
import { describeInvalid } from './describe-invalid.ts';
import { type Repair, repairArguments } from './repair-arguments.ts';

const MAX_ROUNDS = 4;
const compiled = new WeakMap<ToolDefinition, Validate>();

export interface CheckedArguments {
  input: JsonObject;
  repairs: readonly Repair[];
}

const NO_REPAIRS: readonly Repair[] = [];

/** The validator of a tool, compiled at its first call and kept as long as its definition. */
export function validatorOf(tool: ToolDefinition): Validate | Promise<Validate> {
  return compiled.get(tool) ?? compileOnce(tool);
}

async function compileOnce(tool: ToolDefinition): Promise<Validate> {
  try {
    const validate = await compileSchema(tool.inputSchema);
    compiled.set(tool, validate);
    return validate;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallStopped(
      'failed',
      `The input schema of the tool ${tool.name} cannot be used: ${reason}. The tool did not run; its author has to correct the schema.`,
    );
  }
}

/**
 * Checks arguments by the tool's schema. What fails is repaired towards the declared type where that is certain,
 * and checked again; nothing that was valid is touched.
 * @throws CallStopped `invalid-input` whose text names each field, what was expected and what came.
 */
export function checkArguments(tool: ToolDefinition, validate: Validate, input: JsonObject): CheckedArguments {
  if (isValid(tool, validate, input)) return { input, repairs: NO_REPAIRS };
  const firstErrors = validate.errors ?? [];
  const copy = structuredClone(input);
  const repairs: Repair[] = [];
  let errors: readonly ErrorObject[] = firstErrors;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const more = repairArguments(copy, errors);
    if (more.length === 0) break;
    repairs.push(...more);
    if (isValid(tool, validate, copy)) return { input: copy, repairs };
    errors = validate.errors ?? [];
  }
  throw new CallStopped('invalid-input', describeInvalid(tool, input, firstErrors));
}

function isValid(tool: ToolDefinition, validate: Validate, input: JsonObject): boolean {
  try {
    return validate(input);
  } catch (error) {
    // A schema whose $refs go round without end overflows the stack only when it is used.
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallStopped(
      'failed',
      `The input schema of the tool ${tool.name} cannot be used: ${reason}. The tool did not run.`,
    );
  }
}
