import {
  isJsonObject,
  type JsonObject,
  quoteValue,
  readToolDeclaration,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolUi,
} from '@toolpost/protocol';
import { newToolError } from '../results/tool-results.ts';
import type { ToolCallContext, ToolPreviewContext } from '../tool-call-context.ts';
import type { ToolDef } from './build-tool-def.ts';
import { checkFieldNames } from './check-field-names.ts';
import type { CallerInput, ExecuteInput, InputSchema, PlainJsonSchema } from './input-types.ts';
import { type ReadSchema, readInputSchema, readOutputSchema, type Verdict } from './read-schema.ts';
import type { FunctionDefinition } from './tool-def.ts';

/** Marks a tool that defineTool made. Two copies of this package in one process recognise each other's. */
export const TOOL_BRAND: unique symbol = Symbol.for('toolpost.tool');

/**
 * A tool, ready to run. `execute` takes the parsed arguments and validates what its schema adds to the JSON Schema,
 * so that tools of different inputs share this one type. `Input` is what a caller gives.
 */
export interface Tool<Input = unknown> extends ToolDefinition {
  readonly [TOOL_BRAND]: true;
  /** Never set: carries the type of the input. */
  readonly '~input'?: Input;
  execute(input: JsonObject, context: ToolCallContext): unknown;
  preview?(input: JsonObject, context: ToolPreviewContext): unknown;
}

interface ToolTraits {
  title?: string;
  /** What a model gets in `structuredContent`: a Standard Schema with a JSON Schema, or a JSON Schema. */
  outputSchema?: unknown;
  annotations?: ToolAnnotations;
  /** The argument whose value clients show beside the tool's name. */
  primaryArg?: string;
  ui?: ToolUi;
  /** The channels whose sessions see it; absent means all. */
  channels?: string[];
  /** Go duration text, such as `30s`; may only shorten the plugin's. */
  timeout?: string;
  /** `serial` keeps the calls of one round apart. */
  concurrency?: 'parallel' | 'serial';
}

/** What defineTool takes; the shape is the AI SDK's, plus a name. */
export interface ToolOptions<Schema extends InputSchema = PlainJsonSchema> extends ToolTraits {
  name: string;
  description: string;
  inputSchema?: Schema;
  /**
   * Does the work. Text, a ToolResult, MCP blocks or any JSON value become the result; a throw becomes an error
   * result with its message. Prefer `newToolError` for failures that the model can do something about.
   */
  execute(input: ExecuteInput<Schema>, context: ToolCallContext): unknown;
  /**
   * Text that a person who is asked about the call sees beside its arguments: what it would do, a diff say. It must
   * change nothing, for the answer may be no. It has 2 seconds, and 200 lines of it are shown; a call is asked about
   * without it when it fails. Called only where a person is asked; a WebAssembly component has none.
   */
  preview?(input: ExecuteInput<Schema>, context: ToolPreviewContext): string | undefined | Promise<string | undefined>;
}

/** The seeds' form: a definition that buildToolDef or toolDef made, and the function beside it. */
export interface ToolOptionsWithDef<Input> extends ToolTraits {
  def: ToolDef<Input> | FunctionDefinition;
  execute(input: Input, context: ToolCallContext): unknown;
  /** As in ToolOptions. */
  preview?(input: Input, context: ToolPreviewContext): string | undefined | Promise<string | undefined>;
}

/**
 * Defines a tool (seed A: SimplePluginTool). The type of `execute`'s input follows from `inputSchema`: a Standard
 * Schema with a JSON Schema, a JSON Schema, or a list of parameters.
 * @throws TypeError that names the tool and the field when a part of it is wrong.
 */
export function defineTool<const Schema extends InputSchema = PlainJsonSchema>(
  options: ToolOptions<Schema>,
): Tool<CallerInput<Schema>>;
export function defineTool<Input = JsonObject>(options: ToolOptionsWithDef<Input>): Tool<Input>;
export function defineTool(options: unknown): Tool {
  return toTool(options);
}

/** Whether a value is a tool that defineTool made, in this copy of the package or another. */
export function isTool(value: unknown): value is Tool {
  return isJsonObject(value) && Reflect.get(value, TOOL_BRAND) === true;
}

/**
 * Makes a tool of any value that has a tool's shape: one of the AI SDK's with a name, say. A tool passes through.
 * @throws TypeError that names the tool and the field when it has not.
 */
export function toTool(value: unknown): Tool {
  if (isTool(value)) return value;
  if (!isJsonObject(value)) throw new TypeError(`a tool must be an object, got ${quoteValue(value)}`);
  const options = isJsonObject(value.def) ? { ...readDef(value.def), ...value } : value;
  namingTool(options.name, () => checkFieldNames(options));
  const schema = namingTool(options.name, () => readInputSchema(options.inputSchema));
  const outputSchema = namingTool(options.name, () => readOutputSchema(options.outputSchema));
  const definition = readToolDeclaration({ ...options, inputSchema: schema.jsonSchema, outputSchema });
  const preview = previewerOf(options, schema.validate);
  const execute = executorOf(options, schema.validate);
  return { ...definition, [TOOL_BRAND]: true, execute, ...(preview && { preview }) };
}

/** What a model and a client know of a tool: the tool without its functions. */
export function toToolDefinition(
  tool: ToolDefinition & { execute?: unknown; preview?: unknown; [TOOL_BRAND]?: true },
): ToolDefinition {
  const { execute: _execute, preview: _preview, [TOOL_BRAND]: _brand, ...definition } = tool;
  return definition;
}

function readDef(def: JsonObject): JsonObject {
  const declared = isJsonObject(def.function) ? def.function : def;
  const { name, description, inputSchema, parameters } = declared;
  return { name, description, inputSchema: inputSchema ?? parameters };
}

type Execute = (input: JsonObject, context: ToolCallContext) => unknown;

function executorOf(options: JsonObject, validate: ReadSchema['validate']): Execute {
  const { execute } = options;
  if (execute === undefined) return () => newToolError('tool execution function not set');
  if (typeof execute !== 'function') {
    throw new TypeError(`tool ${quoteValue(options.name)}: execute must be a function, got ${quoteValue(execute)}`);
  }
  const run: Execute = (input, context) => execute.call(options, input, context);
  if (!validate) return run;
  const settle = (verdict: Verdict, context: ToolCallContext): unknown => {
    if (!verdict.ok) return newToolError(`invalid input: ${verdict.issues.join('; ')}`);
    return execute.call(options, verdict.value, context);
  };
  return (input, context) => {
    const verdict = validate(input);
    return verdict instanceof Promise ? verdict.then((known) => settle(known, context)) : settle(verdict, context);
  };
}

/** Input that the schema refuses has nothing to preview: `execute` says what is wrong with it. */
function previewerOf(options: JsonObject, validate: ReadSchema['validate']): Tool['preview'] {
  const { preview } = options;
  if (preview === undefined) return undefined;
  if (typeof preview !== 'function') {
    throw new TypeError(`tool ${quoteValue(options.name)}: preview must be a function, got ${quoteValue(preview)}`);
  }
  if (!validate) return (input, context) => preview.call(options, input, context);
  return async (input, context) => {
    const verdict = await validate(input);
    return verdict.ok ? preview.call(options, verdict.value, context) : undefined;
  };
}

function namingTool<T>(name: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : quoteValue(error);
    throw new TypeError(`tool ${quoteValue(name)}: ${reason}`, { cause: error });
  }
}
