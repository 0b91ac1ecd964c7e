import type { JsonObject } from '@toolpost/protocol';

/** The numbers of JSON-RPC and of MCP for what goes wrong with a request. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Until 2025-11-25; from 2026-07-28 on an unknown resource is `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Answers a request with an error instead of a result. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonObject | undefined;

  constructor(code: number, message: string, data?: JsonObject) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function invalidParams(message: string, data?: JsonObject): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message, data);
}
