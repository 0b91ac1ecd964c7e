import { isJsonObject, type JsonObject, type PromptDeclaration, quoteValue, type Session } from '@toolpost/protocol';
import { createAsk } from './ask-user.ts';
import type { Exchange } from './exchange.ts';
import { LIST_OPTIONS, type McpParts } from './mcp-parts.ts';
import { encodeResult } from './protocol-era.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';

/** A prompt under the name that clients see. */
export interface ListedPrompt {
  readonly name: string;
  readonly pluginId: string;
  readonly declared: PromptDeclaration;
}

/** Of two plugins' prompts with one name the first keeps it, and the other's begins with its plugin's id. */
export async function promptsOf({ host }: McpParts, session: Session): Promise<readonly ListedPrompt[]> {
  const byName = new Map<string, ListedPrompt>();
  for (const { pluginId, content } of await host.listContent(session, LIST_OPTIONS)) {
    for (const declared of content.prompts) {
      const name = byName.has(declared.name) ? `${pluginId}__${declared.name}` : declared.name;
      if (!byName.has(name)) byName.set(name, { name, pluginId, declared });
    }
  }
  return [...byName.values()];
}

/** Answers `prompts/get`. @throws RpcError for an unknown prompt, a missing argument, or a plugin that fails. */
export async function getPrompt(parts: McpParts, params: JsonObject, exchange: Exchange): Promise<string> {
  const { session, abortSignal, era } = exchange;
  const { pluginId, declared } = await findPrompt(parts, params.name, session);
  const given = textsOf(params.arguments);
  for (const { name, required } of declared.arguments ?? []) {
    if (required && !Object.hasOwn(given, name)) throw invalidParams(`the argument ${quoteValue(name)} is missing`);
  }
  const request = { kind: 'prompt', name: declared.name, arguments: given } as const;
  const value = await parts.host
    .answerContent(pluginId, request, { session, abortSignal, ask: createAsk(exchange) })
    .catch((error: Error) => {
      throw new RpcError(RPC_CODES.internal, `the prompt ${quoteValue(declared.name)} failed: ${error.message}`);
    });
  return encodeResult(era, toPromptResult(value, declared));
}

export async function findPrompt(parts: McpParts, name: unknown, session: Session): Promise<ListedPrompt> {
  const found = (await promptsOf(parts, session)).find((one) => one.name === name);
  if (found) return found;
  throw invalidParams(`there is no prompt ${quoteValue(name)} in this session`);
}

/** @throws RpcError where they are not texts. */
export function textsOf(value: unknown): Record<string, string> {
  if (value === undefined || value === null) return {};
  const isTexts = isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string');
  if (isTexts) return value as Record<string, string>;
  throw invalidParams(`arguments have to be an object of texts, got ${quoteValue(value)}`);
}

function toPromptResult(value: unknown, { name, description }: PromptDeclaration): JsonObject {
  const own = isJsonObject(value) && Array.isArray(value.messages) ? value : { messages: value };
  const told = typeof own.description === 'string' ? own.description : description;
  const given = typeof own.messages === 'string' ? [{ role: 'user', content: own.messages }] : own.messages;
  if (!Array.isArray(given) || given.length === 0)
    throw new RpcError(
      RPC_CODES.internal,
      `the prompt ${quoteValue(name)} has no messages: it gave ${quoteValue(value)}`,
    );
  return { ...(told !== undefined && { description: told }), messages: given.map((one) => toMessage(one, name)) };
}

function toMessage(value: unknown, name: string): JsonObject {
  const { role = 'user', content } = isJsonObject(value) ? value : { content: value };
  if (role === 'user' || role === 'assistant') {
    if (typeof content === 'string') return { role, content: { type: 'text', text: content.toWellFormed() } };
    if (isJsonObject(content) && typeof content.type === 'string') return { role, content };
  }
  throw new RpcError(RPC_CODES.internal, `a message of the prompt ${quoteValue(name)} is wrong: ${quoteValue(value)}`);
}
