import { isJsonObject, type JsonObject, messageOf, quoteValue } from '@toolpost/protocol';
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

/** The one revision in which messages may come as a list. */
export const BATCH_VERSION = '2025-03-26';
const MAX_BATCH = 1000;

/** Reads one JSON-RPC message. Never throws. */
export function readMessage(text: string): RpcMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    return refusal('null', RPC_CODES.parse, `the message is not JSON: ${reason}`);
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return refusal('null', RPC_CODES.invalidRequest, 'a batch holds at least one message');
    const reason = `a batch is taken of at most ${MAX_BATCH} messages, and of protocol version ${BATCH_VERSION} alone: send each message by itself`;
    return refusal('null', RPC_CODES.invalidRequest, reason);
  }
  return classify(value, (id) => rawIdOf(text, id));
}

/** Whether a text would be a list of messages. */
export function isBatch(text: string): boolean {
  return /^\s*\[/.test(text);
}

/** The messages of a batch; undefined for what is none, or too long. Never throws. */
export function readBatch(text: string): readonly RpcMessage[] | undefined {
  if (!isBatch(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BATCH) return undefined;
    return value.map(readOfBatch);
  } catch {
    return undefined;
  }
}

function readOfBatch(value: unknown): RpcMessage {
  const message = classify(value, (id) => JSON.stringify(id));
  if (message.kind !== 'request' || message.method !== 'initialize') return message;
  return refusal(message.rawId, RPC_CODES.invalidRequest, 'initialize has to be a message by itself');
}

function classify(message: unknown, rawIdIn: (id: string | number) => string): RpcMessage {
  if (!isJsonObject(message)) {
    return refusal('null', RPC_CODES.invalidRequest, `a message has to be an object, got ${quoteValue(message)}`);
  }
  const { id, method, params = {} } = message;
  const isId = typeof id === 'string' || typeof id === 'number';
  const rawId = isId ? rawIdIn(id) : 'null';
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
