import { formatDuration, parseDuration } from './duration.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from './json.ts';
import { quoteValue } from './quote-value.ts';
import type { ToolAnnotations, ToolDefinition, ToolUi } from './tool-definition.ts';

const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

/** A parameter of the seeds' short form. `items` describes the elements of an array; absent means anything. */
export interface ToolParameter {
  name: string;
  type: (typeof PARAMETER_TYPES)[number];
  description?: string;
  required?: boolean;
  items?: JsonSchema;
}

/**
 * The object schema of a parameter list, by section 2 of the reference: declared order, `required` only when
 * something is, an array without items gets `items: {}`, an absent description is "".
 * @throws TypeError that names the parameter when one is wrong or declared twice.
 */
export function schemaOfParameters(parameters: readonly unknown[]): JsonSchema {
  const entries = new Map<string, JsonSchema>();
  const required: string[] = [];
  parameters.forEach((value, index) => {
    const parameter = readParameter(value, `parameters[${index}]`);
    if (entries.has(parameter.name)) throw new TypeError(`parameters declares ${quoteValue(parameter.name)} twice`);
    entries.set(parameter.name, schemaOfParameter(parameter));
    if (parameter.required) required.push(parameter.name);
  });
  const schema: JsonSchema = { type: 'object', properties: Object.fromEntries(entries) };
  if (required.length > 0) schema.required = required;
  return schema;
}

function schemaOfParameter({ type, description = '', items }: ToolParameter): JsonSchema {
  return type === 'array' ? { type, description, items: items ?? {} } : { type, description };
}

function readParameter(value: unknown, place: string): ToolParameter {
  if (!isJsonObject(value)) throw wrong(place, 'an object', value);
  const name = readText(value.name, `${place}.name`);
  const type = PARAMETER_TYPES.find((known) => known === value.type);
  if (!type) throw wrong(`${place}.type`, `one of ${PARAMETER_TYPES.join(', ')}`, value.type);
  const items = optional(value.items, isJsonObject, 'an object', `${place}.items`);
  return {
    name,
    type,
    description: optional(value.description, isText, 'text', `${place}.description`) ?? '',
    required: optional(value.required, isBoolean, 'true or false', `${place}.required`) ?? false,
    ...(items && { items }),
  };
}

/**
 * A schema as a ToolDefinition carries it: always an object schema with `properties`, else untouched.
 * @throws TypeError when it describes something else than an object.
 */
export function toObjectSchema(value: unknown, place: string): JsonSchema {
  if (!isJsonObject(value)) throw wrong(place, 'a JSON Schema object', value);
  if (value.type !== undefined && value.type !== 'object') throw wrong(`${place}.type`, '"object"', value.type);
  optional(value.properties, isJsonObject, 'an object', `${place}.properties`);
  if (value.type === 'object' && isJsonObject(value.properties)) return value;
  return { ...value, type: 'object', properties: value.properties ?? {} };
}

/**
 * Reads one tool as a plugin declares it: `parameters` and/or `inputSchema` (the schema wins), camelCase or the
 * seeds' snake_case, also inside seed B's `{type: "function", function}`. `null` counts as absent.
 * @throws TypeError that names the tool, the field, what came and what was expected.
 */
export function readToolDeclaration(value: unknown): ToolDefinition {
  if (!isJsonObject(value)) throw new TypeError(`a tool must be an object, got ${quoteValue(value)}`);
  const declared = value.type === 'function' && isJsonObject(value.function) ? value.function : value;
  const name = readToolName(declared.name);
  try {
    return readNamedTool(name, declared);
  } catch (error) {
    throw new TypeError(`tool ${quoteValue(name)}: ${error instanceof Error ? error.message : quoteValue(error)}`);
  }
}

function readToolName(value: unknown): string {
  if (isText(value) && value.trim() !== '') return value;
  throw new TypeError(`a tool's name must be non-empty text, got ${quoteValue(value)}`);
}

function readNamedTool(name: string, declared: JsonObject): ToolDefinition {
  const definition: ToolDefinition = {
    name,
    description: optional(declared.description, isText, 'text', 'description') ?? '',
    inputSchema: readInputSchema(declared),
  };
  const title = optional(declared.title, isText, 'text', 'title');
  if (title !== undefined) definition.title = title;
  const output = optional(either(declared, 'outputSchema', 'output_schema'), isJsonObject, 'an object', 'outputSchema');
  if (output) definition.outputSchema = output;
  const annotations = readAnnotations(declared.annotations);
  if (annotations) definition.annotations = annotations;
  const primaryArg = optional(either(declared, 'primaryArg', 'primary_arg'), isText, 'text', 'primaryArg');
  if (primaryArg) definition.primaryArg = primaryArg;
  const ui = readUi(declared.ui);
  if (ui) definition.ui = ui;
  const channels = optional(declared.channels, isTextList, 'a list of texts', 'channels');
  if (channels?.length) definition.channels = channels;
  const timeoutMs = readTimeout(declared.timeout);
  if (timeoutMs !== undefined) definition.timeoutMs = timeoutMs;
  const concurrency = optional(declared.concurrency, isConcurrency, '"parallel" or "serial"', 'concurrency');
  if (concurrency) definition.concurrency = concurrency;
  const hasPreview = optional(either(declared, 'hasPreview', 'has_preview'), isBoolean, 'true or false', 'hasPreview');
  if (hasPreview) definition.hasPreview = hasPreview;
  return definition;
}

function readInputSchema(declared: JsonObject): JsonSchema {
  const schema = either(declared, 'inputSchema', 'input_schema');
  if (schema !== undefined) return toObjectSchema(schema, 'inputSchema');
  const parameters = declared.parameters ?? [];
  if (Array.isArray(parameters)) return schemaOfParameters(parameters);
  // Seed B's builder puts the schema itself here.
  if (isJsonObject(parameters)) return toObjectSchema(parameters, 'parameters');
  throw wrong('parameters', 'a list of parameters or a JSON Schema object', parameters);
}

function readAnnotations(value: unknown): ToolAnnotations | undefined {
  const declared = optional(value, isJsonObject, 'an object', 'annotations');
  if (!declared) return undefined;
  const annotations: ToolAnnotations = {};
  const title = optional(declared.title, isText, 'text', 'annotations.title');
  if (title !== undefined) annotations.title = title;
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    const flag = optional(declared[hint], isBoolean, 'true or false', `annotations.${hint}`);
    if (flag !== undefined) annotations[hint] = flag;
  }
  return annotations;
}

function readUi(value: unknown): ToolUi | undefined {
  const declared = optional(value, isJsonObject, 'an object', 'ui');
  if (!declared) return undefined;
  const ui: ToolUi = { mode: readText(declared.mode, 'ui.mode') };
  const param = optional(declared.param, isText, 'text', 'ui.param');
  if (param !== undefined) ui.param = param;
  const libs = optional(declared.libs, isTextList, 'a list of texts', 'ui.libs');
  if (libs) ui.libs = libs;
  const surface = optional(declared.surface, isText, 'text', 'ui.surface');
  if (surface !== undefined) ui.surface = surface;
  const resourceUri = optional(declared.resourceUri ?? declared.resource_uri, isUiUri, 'a ui:// URI', 'ui.resourceUri');
  if (resourceUri !== undefined) ui.resourceUri = resourceUri;
  const visibility = optional(declared.visibility, isTextList, 'a list of texts', 'ui.visibility');
  if (visibility) ui.visibility = visibility;
  return ui;
}

/** Reads a tool's `timeout`, Go duration text, as milliseconds. */
function readTimeout(value: unknown): number | undefined {
  const text = optional(value, isText, 'a duration like "30s"', 'timeout');
  if (text === undefined || text === '') return undefined;
  const timeoutMs = parseDuration(text);
  if (timeoutMs <= 0) throw wrong('timeout', 'a duration above zero, like "30s"', text);
  return timeoutMs;
}

/** Writes a tool as `activate` declares it on the wire: what readToolDeclaration reads back as the same. */
export function writeToolDeclaration({ timeoutMs, ...definition }: ToolDefinition): JsonObject {
  return timeoutMs === undefined ? { ...definition } : { ...definition, timeout: formatDuration(timeoutMs) };
}

function either(declared: JsonObject, camel: string, snake: string): unknown {
  return declared[camel] ?? declared[snake] ?? undefined;
}

function optional<T>(value: unknown, is: (value: unknown) => value is T, what: string, place: string): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  throw wrong(place, what, value);
}

function readText(value: unknown, place: string): string {
  if (isText(value) && value !== '') return value;
  throw wrong(place, 'non-empty text', value);
}

function wrong(place: string, expected: string, value: unknown): TypeError {
  return new TypeError(`${place} must be ${expected}, got ${quoteValue(value)}`);
}

function isUiUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('ui://');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isConcurrency(value: unknown): value is 'parallel' | 'serial' {
  return value === 'parallel' || value === 'serial';
}
