import {
  isJsonObject,
  type JsonSchema,
  schemaOfParameters,
  type ToolParameter,
  type ToolResult,
} from '@toolpost/protocol';
import { newToolResult } from '../results/tool-results.ts';
import type { ToolCallContext } from '../tool-call-context.ts';
import { defineTool, type Tool } from './define-tool.ts';
import type { InputOfParameters } from './input-types.ts';
import type { FunctionDefinition } from './tool-def.ts';

/** A definition in the seed's form: the parameter list and the schema that it stands for. */
export interface ToolDef<Input = unknown> {
  name: string;
  description: string;
  parameters: readonly ToolParameter[];
  inputSchema: JsonSchema;
  version?: string;
  /** Never set: carries the type of the input. */
  readonly '~input'?: Input;
}

/**
 * Builds a definition from short parameters (seed A: BuildToolDef).
 * @throws TypeError when a parameter is wrong or declared twice.
 */
export function buildToolDef<const Parameters extends readonly ToolParameter[]>(
  name: string,
  description: string,
  ...parameters: Parameters
): ToolDef<InputOfParameters<Parameters>> {
  return { name, description, parameters, inputSchema: schemaOfParameters(parameters) };
}

/**
 * Writes a definition as models' APIs take it (seed A: ToJSONSchema). Its `inputSchema` goes untouched; without one
 * the schema is built from `parameters`.
 */
export function toJsonSchema(def: {
  name: string;
  description: string;
  parameters?: readonly ToolParameter[];
  inputSchema?: JsonSchema;
  version?: string;
}): FunctionDefinition {
  const { name, description, version } = def;
  const parameters = def.inputSchema ?? schemaOfParameters(def.parameters ?? []);
  return { type: 'function', function: { name, description, parameters, ...(version && { version }) } };
}

/** Makes a tool of a function from text to text (seed A: ToolFromFunc). It gets the arguments as JSON text. */
export function toolFromFunc(
  name: string,
  description: string,
  run: (input: string, context: ToolCallContext) => string | Promise<string>,
): Tool {
  return defineTool({ name, description, execute: (_input, context) => run(context.input, context) });
}

/**
 * Makes a tool of a function from JSON text to any value (seed A: ToolFromJSONFunc). What it returns becomes JSON
 * text; what has no JSON form fails the call.
 */
export function toolFromJsonFunc<const Parameters extends readonly ToolParameter[]>(
  name: string,
  description: string,
  parameters: Parameters,
  run: (input: string, context: ToolCallContext) => unknown,
): Tool<InputOfParameters<Parameters>> {
  return defineTool({
    def: buildToolDef(name, description, ...parameters),
    execute: async (_input, context) => encode(await run(context.input, context)),
  });
}

/** Text is encoded like any other value: the seed marshals whatever the function returns. */
function encode(value: unknown): ToolResult {
  const text = JSON.stringify(value) ?? 'null';
  const marshalled: unknown = JSON.parse(text);
  const result = newToolResult(text);
  return isJsonObject(marshalled) ? { ...result, structuredContent: marshalled } : result;
}
