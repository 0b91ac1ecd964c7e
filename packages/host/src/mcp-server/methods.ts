import { type JsonObject, quoteValue } from '@toolpost/protocol';
import { callToolRequest } from './call-tool-request.ts';
import { complete } from './completion.ts';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import { getPrompt, promptsOf } from './prompts.ts';
import { encodeResult, REQUEST_ERA_VERSIONS, SERVER_CAPABILITIES } from './protocol-era.ts';
import { readResource, resourcesOf, templatesOf } from './resources.ts';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error.ts';
import { catalogOf } from './tool-catalog.ts';
import type { ResultJson } from './write-message.ts';

type Method = (parts: McpParts, params: JsonObject, exchange: Exchange) => ResultJson | Promise<ResultJson>;

/** Requests that both eras have, and that need nothing of the connection they came by. */
const METHODS: Readonly<Record<string, Method>> = {
  async 'tools/list'({ host }, params, exchange) {
    assertNoCursor(params);
    return (await catalogOf(host, exchange.session)).listJson(exchange);
  },
  'tools/call': callToolRequest,
  async 'resources/list'(parts, params, exchange) {
    assertNoCursor(params);
    return encodeResult(exchange.era, { resources: await resourcesOf(parts, exchange) }, true);
  },
  async 'resources/templates/list'(parts, params, { era, session }) {
    assertNoCursor(params);
    return encodeResult(era, { resourceTemplates: await templatesOf(parts, session) }, true);
  },
  'resources/read': readResource,
  async 'prompts/list'(parts, params, { era, session }) {
    assertNoCursor(params);
    const prompts = (await promptsOf(parts, session)).map(({ name, declared }) => ({ ...declared, name }));
    return encodeResult(era, { prompts }, true);
  },
  'prompts/get': getPrompt,
  'completion/complete': complete,
};

/** Those in whose course the client may be asked. */
export const ASKING_METHODS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export function hasMethod(method: string): boolean {
  return Object.hasOwn(METHODS, method);
}

/** @throws RpcError for a method that there is not, and for params that are wrong. */
export function runMethod(
  parts: McpParts,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  exchange: Exchange,
): ResultJson | Promise<ResultJson> {
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!run) throw unknownMethod(method);
  return run(parts, params, exchange);
}

export function unknownMethod(method: string): RpcError {
  return new RpcError(RPC_CODES.methodNotFound, `there is no method ${quoteValue(method)} here`);
}

/** Lists come whole, so that no cursor was ever given out. */
function assertNoCursor({ cursor }: JsonObject): void {
  if (cursor !== undefined && cursor !== null)
    throw invalidParams(`the cursor ${quoteValue(cursor)} is not one of ours`);
}

/** The answer to `server/discover`. */
export function discover(): string {
  const body = { supportedVersions: [...REQUEST_ERA_VERSIONS], capabilities: SERVER_CAPABILITIES };
  return encodeResult('request', body, true);
}
