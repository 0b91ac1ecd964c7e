import { isJsonObject, quoteValue } from '@toolpost/protocol';

/** JSON-RPC's and MCP's codes that matter to a client. */
export const RPC_CODES = { methodNotFound: -32601, invalidParams: -32602, internalError: -32603 } as const;

const MAX_MESSAGE = 10_000;

/** An error that a server answered with. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Reads the `error` of an answer, whatever a server put there. */
export function readRpcError(value: unknown): RpcError {
  if (!isJsonObject(value)) return new RpcError(RPC_CODES.internalError, `the server answered ${quoteValue(value)}`);
  const { code, message, data } = value;
  const text = typeof message === 'string' && message !== '' ? message : `error ${quoteValue(code)}`;
  return new RpcError(typeof code === 'number' ? code : RPC_CODES.internalError, text.slice(0, MAX_MESSAGE), data);
}
