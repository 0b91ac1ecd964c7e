import type { JsonObject, Session } from '@toolpost/protocol';
import { textForModel } from '../agent/tool-output.ts';
import type { Host } from '../host.ts';
import { type AdapterOptions, sessionTools } from './session-tools.ts';

/** An entry of `tools` of the chat completions. */
export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

/** An entry of `message.tool_calls`. */
export interface OpenAiToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** The message that answers a call. */
export interface OpenAiToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** An entry of `tools` of the responses API. */
export interface OpenAiResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Strict mode takes few of the schemas that tools have. */
  readonly strict: false;
}

/** An item of `response.output` with the type `function_call`. */
export interface OpenAiFunctionCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The input item that answers a call. */
export interface OpenAiFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}

export interface OpenAiTools<Tool, Call, Answer> {
  readonly tools: Tool[];
  /** Why tools of the session are left out, one sentence each. */
  readonly warnings: readonly string[];
  /** Makes a call that the model asked for. Never rejects: what went wrong is told to the model. */
  answer(call: Call, options?: { readonly abortSignal?: AbortSignal }): Promise<Answer>;
}

/** A session's tools for OpenAI's chat completions, and for every server that speaks them. Ask again for each turn. */
export async function toolsForOpenAiChat(
  host: Host,
  session: Session,
  options: AdapterOptions = {},
): Promise<OpenAiTools<OpenAiChatTool, OpenAiToolCall, OpenAiToolMessage>> {
  const { tools, warnings, call } = await sessionTools(host, session, { ...options, family: 'openai' });
  return {
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
    warnings,
    async answer({ id, function: wanted }, callOptions) {
      const record = await call({ id, name: wanted?.name, arguments: wanted?.arguments }, callOptions);
      return { role: 'tool', tool_call_id: id, content: textForModel(record) };
    },
  };
}

/** A session's tools for OpenAI's responses. Ask again for each turn. */
export async function toolsForOpenAiResponses(
  host: Host,
  session: Session,
  options: AdapterOptions = {},
): Promise<OpenAiTools<OpenAiResponsesTool, OpenAiFunctionCall, OpenAiFunctionCallOutput>> {
  const { tools, warnings, call } = await sessionTools(host, session, { ...options, family: 'openai' });
  return {
    tools: tools.map(({ name, description, schema }) => ({
      ...{ type: 'function', name, description, parameters: schema, strict: false },
    })),
    warnings,
    async answer({ call_id: id, name, arguments: text }, callOptions) {
      const record = await call({ id, name, arguments: text }, callOptions);
      return { type: 'function_call_output', call_id: id, output: textForModel(record) };
    },
  };
}
