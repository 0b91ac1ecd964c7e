import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { ToolDefinition } from '@toolpost/protocol';
import { fitDescription } from '../models/schemas/fit-description.ts';
import { projectSchema } from '../models/schemas/project-schema.ts';
import type { ProviderFamily } from '../models/schemas/provider-family.ts';
import { unwrapArguments } from '../models/schemas/unwrap-arguments.ts';

/** Names as providers take them (`^[a-zA-Z0-9_-]{1,64}$`) for names of any kind, and back. */
export interface WireNames {
  toWire(name: string): string;
  /** The tool's own name; a text that is no alias stays as it is. */
  fromWire(wireName: string): string;
}

/** For tools whose names all fit the wire as they are. */
export const sameNames: WireNames = { toWire: (name) => name, fromWire: (wireName) => wireName };

/** What a provider gets of the tools. */
export interface WireTools {
  readonly tools: LanguageModelV4FunctionTool[];
  /** Why a tool is left out, one sentence each. */
  readonly warnings: readonly string[];
  /** The model's arguments as the tool takes them: some schemas had to be wrapped for the provider. */
  toToolArguments(name: string, raw: string): string;
  /** The one key of what the model writes that holds the tool's arguments, where they had to be wrapped. */
  wrapperOf(name: string): string | undefined;
}

/**
 * The tools as a provider's family takes them. One whose schema cannot be written for it is left out alone: sent along,
 * it would fail every request.
 */
export function toWireTools(tools: readonly ToolDefinition[], names: WireNames, family: ProviderFamily): WireTools {
  const warnings: string[] = [];
  const wrappers = new Map<string, string>();
  const offered = tools.flatMap((tool): LanguageModelV4FunctionTool[] => {
    const projection = projectSchema(tool.inputSchema, family);
    if (!projection.isOffered) {
      warnings.push(
        `the tool ${tool.name} is not offered to this model, its input schema cannot be: ${projection.reason}`,
      );
      return [];
    }
    if (projection.wrappedIn !== undefined) wrappers.set(tool.name.toLowerCase(), projection.wrappedIn);
    const inputSchema = projection.schema as JSONSchema7;
    const description = fitDescription(tool.description, family).text;
    return [{ type: 'function', name: names.toWire(tool.name), description, inputSchema }];
  });
  const wrapperOf = (name: string) => wrappers.get(name.toLowerCase());
  return {
    tools: offered,
    warnings,
    wrapperOf,
    toToolArguments(name, raw) {
      const wrappedIn = wrapperOf(name);
      return wrappedIn === undefined ? raw : unwrapArguments(raw, wrappedIn);
    },
  };
}

/**
 * A name that a model made up may not fit the wire, and would make the history unsendable; so would one that every
 * object has (`constructor`), since providers look names up in plain objects.
 */
export function toSafeWireName(name: string): string {
  const safe = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed';
  return safe in Object.prototype ? `${safe}_` : safe;
}
