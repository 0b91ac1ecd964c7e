import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import type { RuntimeCallContext } from '../runtime.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';

/** Who can be asked what a server wants to know: the user of a session. */
export interface Asker extends Pick<RuntimeCallContext, 'ask'> {
  readonly session: { readonly id: string };
}

/** A question that a server asks in the course of a request of ours. */
export interface Question {
  readonly method: string;
  readonly params: JsonObject;
  /** What the server calls it. */
  readonly name?: string;
}

/**
 * Asks the session's user what a server wants to know, with the server named: nobody shall take it for a question of
 * the host's. Where nobody can answer, the answer is `cancel`.
 * @throws RpcError for what a client of ours cannot be asked.
 */
export async function answerQuestion(
  serverId: string,
  { method, params, name }: Question,
  asker: Asker,
): Promise<JsonObject> {
  if (method !== 'elicitation/create')
    throw new RpcError(RPC_CODES.methodNotFound, `${method}: the client has no such capability`);
  const { message, requestedSchema, mode = 'form' } = params;
  if (mode !== 'form') throw new RpcError(RPC_CODES.invalidParams, `the client cannot be asked by ${quoteValue(mode)}`);
  if (typeof message !== 'string' || !isJsonObject(requestedSchema))
    throw new RpcError(RPC_CODES.invalidParams, 'elicitation/create needs a message and a requestedSchema');
  const answer = await asker.ask({
    message: `The MCP server ${serverId} asks: ${message}`,
    schema: requestedSchema,
    ...(name !== undefined && { name }),
  });
  if (answer.action !== 'accept') return { action: answer.action };
  return { action: 'accept', content: { ...defaultsOf(requestedSchema), ...answer.content } };
}

/** What a person left as it was has the value that the form showed. */
function defaultsOf({ properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]) =>
      isJsonObject(property) && property.default !== undefined ? [[key, property.default]] : [],
    ),
  );
}
