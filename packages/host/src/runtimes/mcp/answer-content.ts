import { type ContentRequest, isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { Asker } from './answer-question.ts';
import { inRounds } from './input-rounds.ts';
import type { RpcPeer } from './rpc-peer.ts';

export interface ContentParts {
  readonly peer: RpcPeer;
  readonly serverId: string;
  readonly capabilities: JsonObject;
}

/** Who waits for a part of a server's content. */
export interface ContentWait {
  /** Absent where the host itself wants it. */
  readonly asker?: Asker;
  /** Aborts when nobody waits for it any more. */
  readonly abortSignal: AbortSignal;
}

const NOBODY: Asker = { session: { id: '' }, ask: async () => ({ action: 'cancel' }) };

/**
 * Asks a server for a part of its content, and its user for what the server wants to know before.
 * @throws RpcError with what the server says.
 */
export async function answerContent(
  { peer, serverId, capabilities }: ContentParts,
  request: ContentRequest,
  wait: ContentWait,
): Promise<unknown> {
  if (request.kind === 'completion' && !isJsonObject(capabilities.completions)) return [];
  const { method, params } = wireOf(request);
  const result = await inRounds(serverId, wait.asker ?? NOBODY, (more) =>
    send(peer, { method, params: { ...params, ...more } }, wait),
  );
  return resultOf(request, result);
}

async function send(
  peer: RpcPeer,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  { asker, abortSignal }: ContentWait,
): Promise<JsonObject> {
  abortSignal.throwIfAborted();
  const sent = peer.request(method, params, { call: asker });
  const giveUp = (): void => peer.cancel(sent.id, 'nobody waits for it any more');
  abortSignal.addEventListener('abort', giveUp, { once: true });
  try {
    return await sent.answer;
  } finally {
    abortSignal.removeEventListener('abort', giveUp);
  }
}

function wireOf(request: ContentRequest): { method: string; params: JsonObject } {
  if (request.kind === 'resource') return { method: 'resources/read', params: { uri: request.uri } };
  if (request.kind === 'prompt')
    return { method: 'prompts/get', params: { name: request.name, arguments: request.arguments } };
  const { prompt, uriTemplate, argument, value, given } = request;
  const ref = prompt === undefined ? { type: 'ref/resource', uri: uriTemplate } : { type: 'ref/prompt', name: prompt };
  const params = { ref, argument: { name: argument, value }, context: { arguments: given } };
  return { method: 'completion/complete', params };
}

function resultOf({ kind }: ContentRequest, result: JsonObject): unknown {
  if (kind === 'resource') return result.contents;
  if (kind === 'prompt') return { description: result.description, messages: result.messages };
  return isJsonObject(result.completion) ? result.completion.values : [];
}
