import type { Session } from '@toolpost/protocol';
import type { Principal } from '../../server/principal.ts';
import type { Exchange } from '../exchange.ts';
import type { McpParts } from '../mcp-parts.ts';
import { ASKING_METHODS, discover, hasMethod, runMethod, unknownMethod } from '../methods.ts';
import { readEnvelope } from '../protocol-era.ts';
import type { RpcRequest } from '../read-message.ts';
import type { Rounds } from '../rounds.ts';
import { RPC_CODES } from '../rpc-error.ts';
import { toRpcError } from '../running-requests.ts';
import { listen } from '../subscription.ts';
import { catalogOf } from '../tool-catalog.ts';
import type { ResultJson } from '../write-message.ts';
import { HttpAnswer } from './http-answer.ts';
import type { HttpReply, HttpRequest } from './http-exchange.ts';
import { assertParamHeaders, assertSameVersion, assertStandardHeaders } from './standard-headers.ts';

export interface RequestEraParts extends McpParts {
  readonly rounds: Rounds;
  /** Aborts when the server ends. */
  readonly closing: AbortSignal;
  readonly sessionOf: (principal: Principal) => Session;
  readonly onBug: (error: unknown) => void;
}

interface Http {
  readonly request: HttpRequest;
  readonly reply: HttpReply;
}

/** Answers one request of the later era. A client that goes away has cancelled it. */
export async function answerInRequestEra(parts: RequestEraParts, message: RpcRequest, http: Http): Promise<void> {
  const { request, reply } = http;
  const answer = new HttpAnswer({ reply, accept: request.header('accept') });
  const controller = new AbortController();
  const cancel = () => controller.abort();
  reply.onGone(cancel);
  // Subscriptions end by a result of their own; what else runs is cancelled.
  if (message.method !== 'subscriptions/listen') parts.closing.addEventListener('abort', cancel, { once: true });
  let isChecked = false;
  try {
    const exchange = await checkedExchange(parts, message, { request, answer, abortSignal: controller.signal });
    isChecked = true;
    answer.result(message.rawId, await resultOf(parts, message, exchange));
  } catch (error) {
    const rpcError = toRpcError(error, parts.onBug);
    answer.error(message.rawId, rpcError, statusOf(rpcError.code, isChecked));
  } finally {
    parts.closing.removeEventListener('abort', cancel);
  }
}

interface Unchecked {
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
  readonly abortSignal: AbortSignal;
}

/** @throws RpcError when envelope, headers or method are not what they have to be. */
async function checkedExchange(
  parts: RequestEraParts,
  message: RpcRequest,
  { request, answer, abortSignal }: Unchecked,
): Promise<Exchange> {
  const { method, params } = message;
  assertSameVersion(message, request);
  const { capabilities, logLevel } = readEnvelope(params);
  assertStandardHeaders(message, request);
  if (!hasMethod(method) && method !== 'server/discover' && method !== 'subscriptions/listen')
    throw unknownMethod(method);
  const session = parts.sessionOf(request.principal);
  if (method === 'tools/call') await checkParams(parts, message, { request, session });
  return {
    era: 'request',
    ...{ session, capabilities, logLevel, abortSignal },
    notify: (text) => answer.notify(text),
    get isBehind() {
      return answer.isBehind;
    },
    onCaughtUp: (listener) => answer.onCaughtUp(listener),
    ask: () => Promise.reject(new Error('only requests that may be sent again can ask')),
  };
}

async function checkParams(
  { host }: McpParts,
  { params }: RpcRequest,
  { request, session }: { readonly request: HttpRequest; readonly session: Session },
): Promise<void> {
  if (typeof params.name !== 'string') return;
  const { snapshot, names } = await catalogOf(host, session);
  const tool = snapshot.find(params.name) ?? snapshot.find(names.fromWire(params.name));
  if (tool) assertParamHeaders(tool.definition, params.arguments, request);
}

function resultOf(parts: RequestEraParts, message: RpcRequest, exchange: Exchange): ResultJson | Promise<ResultJson> {
  const { id, method, params } = message;
  if (method === 'server/discover') return discover();
  if (method === 'subscriptions/listen') return listen(parts, { id, params, closing: parts.closing }, exchange);
  if (!ASKING_METHODS.has(method)) return runMethod(parts, message, exchange);
  const run = async (asking: Exchange) => runMethod(parts, message, asking);
  return parts.rounds.answer({ method, params, run }, exchange);
}

/** What is wrong with a request itself has a status; what comes of running it is an answer like any other. */
function statusOf(code: number, isChecked: boolean): number {
  if (code === RPC_CODES.methodNotFound) return 404;
  if (code === RPC_CODES.missingClientCapability) return 400;
  return isChecked ? 200 : 400;
}
