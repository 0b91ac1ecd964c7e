import type { JsonObject, ToolDefinition, ToolResult } from '@toolpost/protocol';
import type { SearchTool, WithheldPattern } from '../permissions/withheld-patterns.ts';
import type { RuntimeCallContext } from '../runtimes/runtime.ts';
import type { SeenFiles } from './seen-files.ts';
import { ToolFailure } from './tool-failure.ts';

/** Masks known secrets in a text that comes in pieces. */
export interface OutputRedactor {
  (text: string): string;
  /** Whether there is anything to look for. */
  readonly isActive: boolean;
  /** Where a text must be held back because a secret may have begun at its end. */
  holdBack(text: string): number;
}

/** What the built-in tools get from the host, shared by all calls. */
export interface BuiltinSettings {
  readonly homeDir: string;
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>;
  /** Keeps secrets by value out of the files of whole outputs. */
  readonly redactor?: OutputRedactor;
  /** How long one `glob` or `grep` may work before it answers with what it has. */
  readonly searchBudgetMs: number;
  /** What the user's rules keep out of a search; nothing when absent. */
  readonly withheld?: (tool: SearchTool, tenant: string) => readonly WithheldPattern[];
  seenFiles(): Promise<SeenFiles>;
}

/** The context of a call as far as the built-in tools use it. */
export type BuiltinCallContext = Pick<
  RuntimeCallContext,
  'toolCallId' | 'roots' | 'session' | 'abortSignal' | 'output' | 'keepSoFar'
>;

/** What a preview may know of a call that has not begun. */
export type PreviewContext = Pick<BuiltinCallContext, 'roots' | 'session' | 'abortSignal'>;

/** Does the work of one tool. Throws ToolFailure for what the model can act on. */
export type BuiltinExecute = (
  input: JsonObject,
  context: BuiltinCallContext,
  settings: BuiltinSettings,
) => Promise<ToolResult>;

/** Says what a call would do and changes nothing. Throws ToolFailure for a call that would fail. */
export type BuiltinPreview = (input: JsonObject, context: PreviewContext, settings: BuiltinSettings) => Promise<string>;

/** A built-in tool: its definition is plain data, its code is loaded at the first call. */
export interface BuiltinTool {
  readonly definition: ToolDefinition;
  execute(input: JsonObject, context: BuiltinCallContext): Promise<ToolResult>;
  /**
   * For a person who is asked about the call: the diff of `write` and `edit`, the command of `bash`, or why the call
   * would fail. Writes nothing. Hostile text, as arguments are: whoever shows it cleans it. Undefined when it cannot
   * be had; never rejects.
   */
  preview?(input: JsonObject, context: PreviewContext): Promise<string | undefined>;
}

export function textResult(text: string, metadata?: JsonObject): ToolResult {
  const content = [{ type: 'text' as const, text }];
  return metadata === undefined ? { content, isError: false } : { content, isError: false, metadata };
}

export function errorResult(text: string, metadata?: JsonObject): ToolResult {
  return { ...textResult(text, metadata), isError: true };
}

/** The text of a preview; that the call would fail is worth knowing before it is allowed. */
export async function settlePreview(pending: Promise<string>): Promise<string | undefined> {
  try {
    return await pending;
  } catch (error) {
    return error instanceof ToolFailure ? `This call would fail: ${error.message}` : undefined;
  }
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
