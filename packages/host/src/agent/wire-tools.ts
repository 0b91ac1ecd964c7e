import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { ToolDefinition } from '@toolpost/protocol';

/** Names as providers take them (`^[a-zA-Z0-9_-]{1,64}$`) for names of any kind, and back. */
export interface WireNames {
  toWire(name: string): string;
  /** The tool's own name; a text that is no alias stays as it is. */
  fromWire(wireName: string): string;
}

/** For tools whose names all fit the wire as they are. */
export const sameNames: WireNames = { toWire: (name) => name, fromWire: (wireName) => wireName };

/** The tools as a provider gets them. OpenAI refuses an object schema without `properties`: they are filled in. */
export function toWireTools(tools: readonly ToolDefinition[], names: WireNames): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => ({
    type: 'function',
    name: names.toWire(tool.name),
    description: tool.description,
    inputSchema: { type: 'object', properties: {}, ...tool.inputSchema } as JSONSchema7,
  }));
}

/**
 * A name that a model made up may not fit the wire, and would make the history unsendable; so would one that every
 * object has (`constructor`), since providers look names up in plain objects.
 */
export function toSafeWireName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
  return safe in Object.prototype ? `${safe}_` : safe;
}
