import type { JsonObject, ToolDefinition, ToolResult } from '@toolpost/protocol';
import type { ToolCallContext } from '@toolpost/sdk';
import type { SeenFiles } from './seen-files.ts';
import { ToolFailure } from './tool-failure.ts';

/** What the built-in tools get from the host, shared by all calls. */
export interface BuiltinSettings {
  readonly homeDir: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** How long one `glob` or `grep` may work before it answers with what it has. */
  readonly searchBudgetMs: number;
  seenFiles(): Promise<SeenFiles>;
}

/** The context of a call as far as the built-in tools use it. */
export type BuiltinCallContext = Pick<ToolCallContext, 'roots' | 'session' | 'abortSignal' | 'output'>;

/** Does the work of one tool. Throws ToolFailure for what the model can act on. */
export type BuiltinExecute = (
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
) => Promise<ToolResult>;

/** A built-in tool: its definition is plain data, its code is loaded at the first call. */
export interface BuiltinTool extends ToolDefinition {
  execute(input: JsonObject, context: BuiltinCallContext): Promise<ToolResult>;
}

export function textResult(text: string, metadata?: JsonObject): ToolResult {
  const content = [{ type: 'text' as const, text }];
  return metadata === undefined ? { content, isError: false } : { content, isError: false, metadata };
}

export function errorResult(text: string, metadata?: JsonObject): ToolResult {
  return { ...textResult(text, metadata), isError: true };
}

/** Runs `execute` with its expected failures as error results; everything else is thrown on. */
export async function settleFailure(pending: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await pending;
  } catch (error) {
    if (error instanceof ToolFailure) return errorResult(error.message);
    throw error;
  }
}
