import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { CallRecord, JsonObject, Session } from '@toolpost/protocol';
import { toToolOutput } from '../agent/tool-output.ts';
import type { Host } from '../host.ts';
import type { ProviderFamily } from '../models/schemas/provider-family.ts';
import { type AdapterOptions, argumentsText, sessionTools } from './session-tools.ts';

export interface AiSdkOptions<Schema> extends AdapterOptions {
  /** The AI SDK's own `jsonSchema`, of whichever version the program has. */
  readonly jsonSchema: (schema: JsonObject) => Schema;
  /** Whose models are asked: each takes another form of JSON Schema. `json-schema`, which any takes, when absent. */
  readonly family?: ProviderFamily | undefined;
}

/** A tool as `generateText` and `streamText` take it. */
export interface AiSdkTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  /** Resolves with the call record, also of a call that failed. */
  execute(
    input: unknown,
    options?: { toolCallId?: string; abortSignal?: AbortSignal | undefined },
  ): Promise<CallRecord>;
  /** What the model gets of it: text and images, or an error. */
  toModelOutput(result: { output: CallRecord }): LanguageModelV4ToolResultOutput;
}

export interface AiSdkTools<Schema> {
  /** For `tools` of `generateText` and `streamText`. */
  readonly tools: Record<string, AiSdkTool<Schema>>;
  /** Why tools of the session are left out, one sentence each. */
  readonly warnings: readonly string[];
}

/** A session's tools for the AI SDK. They are those that the session sees now: ask again for each turn. */
export async function toolsForAiSdk<Schema>(
  host: Host,
  session: Session,
  { jsonSchema, family = 'json-schema', ...options }: AiSdkOptions<Schema>,
): Promise<AiSdkTools<Schema>> {
  const { tools, warnings, call } = await sessionTools(host, session, { ...options, family });
  const entries = tools.map(({ name, description, schema }): [string, AiSdkTool<Schema>] => [
    name,
    {
      description,
      inputSchema: jsonSchema(schema),
      execute: (input, { toolCallId: id, abortSignal } = {}) =>
        call({ id, name, arguments: argumentsText(input) }, abortSignal && { abortSignal }),
      toModelOutput: ({ output }) => toToolOutput(output),
    },
  ]);
  return { tools: Object.fromEntries(entries), warnings };
}
