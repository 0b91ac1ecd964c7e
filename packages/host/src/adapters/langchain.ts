import type { CallRecord, JsonObject, Session } from '@toolpost/protocol';
import { textForModel } from '../agent/tool-output.ts';
import type { Host } from '../host.ts';
import type { ProviderFamily } from '../models/schemas/provider-family.ts';
import { type AdapterOptions, argumentsText, sessionTools } from './session-tools.ts';

/** What LangChain tells a tool of its call. */
interface LangChainCall {
  readonly signal?: AbortSignal | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** LangChain's `tool()`, as far as it is used here. */
export type LangChainToolMaker<Made> = (
  run: (input: unknown, call?: LangChainCall) => Promise<[content: string, artifact: CallRecord]>,
  fields: {
    readonly name: string;
    readonly description: string;
    readonly schema: JsonObject;
    readonly responseFormat: 'content_and_artifact';
  },
) => Made;

export interface LangChainOptions<Made> extends AdapterOptions {
  /** `tool` of `@langchain/core/tools`, of whichever version the program has. */
  readonly tool: LangChainToolMaker<Made>;
  /** Whose models are asked: each takes another form of JSON Schema. `json-schema`, which any takes, when absent. */
  readonly family?: ProviderFamily | undefined;
}

export interface LangChainTools<Made> {
  /** For `bindTools`, agents and tool nodes. The artifact of an answer is the call record. */
  readonly tools: Made[];
  /** Why tools of the session are left out, one sentence each. */
  readonly warnings: readonly string[];
}

/** A session's tools for LangChain. They are those that the session sees now: ask again for each turn. */
export async function toolsForLangChain<Made>(
  host: Host,
  session: Session,
  { tool, family = 'json-schema', ...options }: LangChainOptions<Made>,
): Promise<LangChainTools<Made>> {
  const { tools, warnings, call } = await sessionTools(host, session, { ...options, family });
  return {
    warnings,
    tools: tools.map(({ name, description, schema }) =>
      tool(
        async (input, asked) => {
          const { signal, toolCall } = asked ?? {};
          const wanted = { id: toolCall?.id, name, arguments: argumentsText(input) };
          const record = await call(wanted, signal && { abortSignal: signal });
          return [textForModel(record), record];
        },
        { name, description, schema, responseFormat: 'content_and_artifact' },
      ),
    ),
  };
}
