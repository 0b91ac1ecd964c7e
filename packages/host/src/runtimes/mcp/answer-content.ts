import { type ContentRequest, isJsonObject, type JsonObject } from '@toolpost/protocol';
import type { RpcPeer } from './rpc-peer.ts';

/** Asks a server for a part of its content. Given up with the signal. @throws RpcError with what the server says. */
export async function answerContent(
  peer: RpcPeer,
  request: ContentRequest,
  { capabilities, abortSignal }: { capabilities: JsonObject; abortSignal: AbortSignal },
): Promise<unknown> {
  if (request.kind === 'completion' && !isJsonObject(capabilities.completions)) return [];
  const { method, params } = wireOf(request);
  const sent = peer.request(method, params);
  const giveUp = (): void => peer.cancel(sent.id, 'nobody waits for it any more');
  abortSignal.addEventListener('abort', giveUp, { once: true });
  try {
    return resultOf(request, await sent.answer);
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
