import {
  isJsonObject,
  type JsonObject,
  quoteValue,
  readToolDeclaration,
  type ToolDefinition,
} from '@toolpost/protocol';
import { APP_CHANNEL } from '../../registry/app-channel.ts';
import { schemaLimitProblem } from '../../registry/schema-limits.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 100_000;
const SEPARATOR = '__';
/** How the page was named before the extension had its present form. */
const FORMER_KEY = 'ui/resourceUri';

/** The name under which a host offers a server's tool: always qualified, so that no server takes another's names. */
export function qualifiedName(pluginId: string, name: string): string {
  return `mcp${SEPARATOR}${pluginId}${SEPARATOR}${name}`;
}

/** One tool of a server, under its qualified name. */
export interface ServerTool {
  readonly definition: ToolDefinition;
  /** What the server calls it. */
  readonly name: string;
  /** Where arguments are mirrored in headers of an HTTP request. */
  readonly inputSchema: JsonObject;
  /** It gives a task at once, and its result later (revision 2025-11-25). */
  readonly isTask: boolean;
}

/** Reads a tool as a server lists it. @throws Error that says why it is left out. */
export function readTool(value: unknown, pluginId: string): ServerTool {
  if (!isJsonObject(value)) throw new Error(`${quoteValue(value)} is no tool`);
  const { name, title, description, outputSchema, annotations, _meta } = value;
  if (typeof name !== 'string' || name.trim() === '') throw new Error(`its name is ${quoteValue(name)}`);
  if (name.length > MAX_NAME) throw new Error(`its name is longer than ${MAX_NAME} characters: ${quoteValue(name)}`);
  if (typeof description === 'string' && description.length > MAX_DESCRIPTION)
    throw new Error(`${quoteValue(name)}: its description is longer than ${MAX_DESCRIPTION} characters`);
  // Before anything walks it by recursion.
  checkSchema(name, 'input', value.inputSchema);
  checkSchema(name, 'output', outputSchema);
  checkSchema(name, 'annotations', annotations);
  const inputSchema = isJsonObject(value.inputSchema) ? value.inputSchema : {};
  const definition = readToolDeclaration({
    name: qualifiedName(pluginId, name),
    title,
    description,
    inputSchema,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    annotations,
    ...uiOf(_meta),
  });
  const isTask = isJsonObject(value.execution) && value.execution.taskSupport === 'required';
  return { definition, name, inputSchema, isTask };
}

function checkSchema(name: string, which: string, schema: unknown): void {
  const problem = isJsonObject(schema) ? schemaLimitProblem(schema) : undefined;
  if (problem !== undefined) throw new Error(`${quoteValue(name)}: because of its ${which} schema: ${problem}`);
}

/**
 * The page that shows its results, by MCP Apps, and who may call it: one for pages alone is in their channel, where no
 * model is.
 */
function uiOf(meta: unknown): { ui?: JsonObject; channels?: string[] } {
  if (!isJsonObject(meta)) return {};
  const ui = isJsonObject(meta.ui) ? meta.ui : {};
  const { resourceUri = meta[FORMER_KEY], visibility } = ui;
  const hasPage = typeof resourceUri === 'string' && resourceUri.startsWith('ui://');
  const who = Array.isArray(visibility) ? visibility.filter((one) => one === 'model' || one === 'app') : undefined;
  if (!hasPage && !who) return {};
  return {
    ui: { mode: 'app', ...(hasPage && { resourceUri }), ...(who && { visibility: who }) },
    ...(who && !who.includes('model') && { channels: [APP_CHANNEL] }),
  };
}
