import type { JsonObject } from '@toolpost/protocol';
import type { RpcError } from './rpc-error.ts';

/** JSON of a result: text, or bytes that are kept ready. */
export type ResultJson = string | Uint8Array;

/** What stands before and behind the JSON of a result. */
export function resultFrame(rawId: string): readonly [head: string, tail: string] {
  return [`{"jsonrpc":"2.0","id":${rawId},"result":`, '}'];
}

export function errorMessage(rawId: string, { code, message, data }: RpcError): string {
  return `{"jsonrpc":"2.0","id":${rawId},"error":${JSON.stringify({ code, message, data })}}`;
}

export function notificationMessage(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function requestMessage(id: number, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
