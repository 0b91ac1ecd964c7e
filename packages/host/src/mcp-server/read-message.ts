import { isJsonObject, type JsonObject, quoteValue } from '@toolpost/protocol';
import { rawIdOf } from './raw-id.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';

export interface RpcRequest {
  readonly kind: 'request';
  readonly id: string | number;
  /** The id as it was sent: what the answer carries. */
  readonly rawId: string;
  /** The same for ids that are equal as JSON: what a cancellation names. */
  readonly idKey: string;
  readonly method: string;
  readonly params: JsonObject;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
}

/** The other side's answer to a request of ours. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: unknown;
  readonly result: unknown;
  /** Why there is no result. */
  readonly error: string | undefined;
}

/** What is no message, with the error that answers it. `rawId` is `null` where no id can be read. */
export interface RpcRefusal {
  readonly kind: 'refusal';
  readonly rawId: string;
  readonly error: RpcError;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | RpcRefusal;

/** Reads one JSON-RPC message. Never throws. */
export function readMessage(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refusal('null', RPC_CODES.parse, `the message is not JSON: ${reason}`);
  }
  // MCP has had no batches since 2025-06-18.
  if (Array.isArray(value)) {
    return refusal('null', RPC_CODES.invalidRequest, 'batches are not supported: send each message by itself');
  }
  if (!isJsonObject(value)) {
    return refusal('null', RPC_CODES.invalidRequest, `a message has to be an object, got ${quoteValue(value)}`);
  }
  return classify(text, value);
}

function classify(text: string, message: JsonObject): RpcMessage {
  const { id, method, params = {} } = message;
  const isId = typeof id === 'string' || typeof id === 'number';
  const rawId = isId ? rawIdOf(text, id) : 'null';
  const refuse = (reason: string) => refusal(rawId, RPC_CODES.invalidRequest, reason);
  if (message.jsonrpc !== '2.0') return refuse(`jsonrpc has to be "2.0", got ${quoteValue(message.jsonrpc)}`);
  if (method === undefined) {
    if ('result' in message || 'error' in message) return toResponse(message);
    return refuse('a message has to have a method, a result or an error');
  }
  if (typeof method !== 'string') return refuse(`method has to be text, got ${quoteValue(method)}`);
  if (!isJsonObject(params)) return refuse(`params has to be an object, got ${quoteValue(params)}`);
  if (!('id' in message)) return { kind: 'notification', method, params };
  if (!isId) return refuse(`id has to be text or a number, got ${quoteValue(id)}`);
  return { kind: 'request', id, rawId, idKey: keyOfId(id), method, params };
}

/** How a pending request is kept, whatever way its id is written. What can be no id is nobody's: not all of it has a text. */
export function keyOfId(id: unknown): string {
  if (typeof id === 'string') return `"${id}`;
  return typeof id === 'number' ? String(id) : '';
}

function toResponse({ id, result, error }: JsonObject): RpcResponse {
  return { kind: 'response', id, result, error: error === undefined ? undefined : errorText(error) };
}

function errorText(error: unknown): string {
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : quoteValue(error);
}

function refusal(rawId: string, code: number, message: string): RpcRefusal {
  return { kind: 'refusal', rawId, error: new RpcError(code, message) };
}
