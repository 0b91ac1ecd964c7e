import type { CallRecord, JsonObject, Session } from '@toolpost/protocol';
import { toToolOutput } from '../agent/tool-output.ts';
import type { Host } from '../host.ts';
import { type AdapterOptions, argumentsText, sessionTools } from './session-tools.ts';

/** An entry of `tools` of the messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject & { readonly type: 'object' };
}

/** A content block with the type `tool_use`. */
export interface AnthropicToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export type AnthropicResultContent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string };
    };

/** The content block that answers a call, in the next message of the user. */
export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: AnthropicResultContent[];
  readonly is_error: boolean;
}

export interface AnthropicTools {
  readonly tools: AnthropicTool[];
  /** Why tools of the session are left out, one sentence each. */
  readonly warnings: readonly string[];
  /** Makes a call that the model asked for. Never rejects: what went wrong is told to the model. */
  answer(call: AnthropicToolUse, options?: { readonly abortSignal?: AbortSignal }): Promise<AnthropicToolResult>;
}

/** A session's tools for Anthropic's messages. Ask again for each turn. */
export async function toolsForAnthropic(
  host: Host,
  session: Session,
  options: AdapterOptions = {},
): Promise<AnthropicTools> {
  const { tools, warnings, call } = await sessionTools(host, session, { ...options, family: 'anthropic' });
  return {
    tools: tools.map(({ name, description, schema }) => ({
      ...{ name, description, input_schema: { ...schema, type: 'object' } },
    })),
    warnings,
    async answer({ id, name, input }, callOptions) {
      const record = await call({ id, name, arguments: argumentsText(input) }, callOptions);
      return { type: 'tool_result', tool_use_id: id, content: contentOf(record), is_error: record.isError };
    },
  };
}

function contentOf(record: CallRecord): AnthropicResultContent[] {
  const output = toToolOutput(record);
  if (output.type === 'text' || output.type === 'error-text') return [{ type: 'text', text: output.value }];
  if (output.type !== 'content') return [];
  return output.value.flatMap((part): AnthropicResultContent[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'file' || part.data.type !== 'data' || typeof part.data.data !== 'string') return [];
    // `checkImage` lets no other kinds through.
    const media_type = part.mediaType as ImageType;
    return [{ type: 'image', source: { type: 'base64', media_type, data: part.data.data } }];
  });
}
