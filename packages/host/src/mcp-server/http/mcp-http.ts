import { quoteValue, type Session } from '@toolpost/protocol';
import type { Principal } from '../../server/principal.ts';
import type { Exchange } from '../exchange.ts';
import { runMethod } from '../methods.ts';
import { claimsEnvelope, REQUEST_ERA_VERSIONS, SESSION_ERA_VERSIONS } from '../protocol-era.ts';
import {
  BATCH_VERSION,
  isBatch,
  keyOfId,
  type RpcMessage,
  type RpcRequest,
  readBatch,
  readMessage,
} from '../read-message.ts';
import { createRounds } from '../rounds.ts';
import { RPC_CODES, RpcError } from '../rpc-error.ts';
import { toRpcError } from '../running-requests.ts';
import { errorMessage } from '../write-message.ts';
import { createBatchReply } from './batch-reply.ts';
import { HttpAnswer, type HttpAnswerOptions, takesStream } from './http-answer.ts';
import { type HttpReply, type HttpRequest, JSON_HEADERS } from './http-exchange.ts';
import { createHttpSessions, type HttpSession, type HttpSessions, type HttpSessionsParts } from './http-sessions.ts';
import { answerInRequestEra, type RequestEraParts } from './request-era.ts';

export interface McpHttpParts extends HttpSessionsParts {
  /** Hears of errors that nobody meant to throw. */
  readonly onBug: (error: unknown) => void;
}

/** MCP's Streamable HTTP, of both eras, apart from addresses, tokens and sockets. */
export interface McpHttp {
  handle(request: HttpRequest, reply: HttpReply): void;
  /** Ends subscriptions and streams, cancels what runs. */
  close(): void;
}

const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

export function createMcpHttp(parts: McpHttpParts): McpHttp {
  const sessions = createHttpSessions(parts);
  const rounds = createRounds();
  const closing = new AbortController();
  const ofPrincipals = new Map<string, Session>();

  /** The later era knows no sessions: all that a token's owner does is one. */
  function sessionOf({ tenant, user }: Principal): Session {
    const key = JSON.stringify([tenant, user]);
    const known = ofPrincipals.get(key) ?? parts.host.openSession({ tenant, user, channel: parts.channel });
    ofPrincipals.set(key, known);
    return known;
  }

  const requestEra: RequestEraParts = { ...parts, rounds, closing: closing.signal, sessionOf };

  function post(request: HttpRequest, reply: HttpReply): void {
    const isJson = /^application\/json\s*(?:;|$)/i.test(request.header('content-type') ?? '');
    if (!isJson) refuse(reply, 415, 'the body has to be JSON, with "content-type: application/json"');
    else if (isBatch(request.body)) batchInSession(request, reply);
    else takeOne(readMessage(request.body), request, reply);
  }

  function takeOne(message: RpcMessage, request: HttpRequest, reply: HttpReply): void {
    if (message.kind === 'refusal') {
      reply.send(400, JSON_HEADERS, [errorMessage(message.rawId, message.error)]);
    } else if (message.kind === 'request' && isOfRequestEra(message, request)) {
      void answerInRequestEra(requestEra, message, { request, reply });
    } else inSessionEra(message, request, reply);
  }

  function inSessionEra(
    message: Exclude<RpcMessage, { kind: 'refusal' }>,
    request: HttpRequest,
    reply: HttpReply,
  ): void {
    if (message.kind === 'request' && message.method === 'initialize') {
      const opened = sessions.open(request.principal);
      const accept = request.header('accept');
      void answerInSession(parts, opened, message, { accept, reply, headers: { [SESSION_HEADER]: opened.id } });
      return;
    }
    // A notification of the later era needs no session, and there is none that says anything to us.
    if (message.kind === 'notification' && isOfRequestEra(message, request)) {
      if (speaks(request, REQUEST_ERA_VERSIONS, reply)) reply.send(202, {}, []);
      return;
    }
    const session = sessionFor(sessions, request, reply);
    if (!session) return;
    if (message.kind === 'request') {
      void answerInSession(parts, session, message, { accept: request.header('accept'), reply });
    } else {
      hear(session, message);
      reply.send(202, {}, []);
    }
  }

  /** Several messages at once, of a client whose revision has that. */
  function batchInSession(request: HttpRequest, reply: HttpReply): void {
    const session = sessionFor(sessions, request, reply);
    if (!session) return;
    const batch = session.state.version === BATCH_VERSION ? readBatch(request.body) : undefined;
    if (batch) answerBatch(parts, session, batch, { accept: request.header('accept'), reply });
    else takeOne(readMessage(request.body), request, reply);
  }

  return {
    handle(request, reply) {
      if (request.method === 'POST') return post(request, reply);
      if (request.method !== 'GET' && request.method !== 'DELETE') {
        reply.send(405, { allow: 'GET, POST, DELETE' }, []);
        return;
      }
      const session = sessionFor(sessions, request, reply);
      if (!session) return;
      if (request.method === 'DELETE') {
        sessions.end(session);
        reply.send(204, {}, []);
      } else if (!request.header('accept')?.includes('text/event-stream')) {
        refuse(reply, 406, 'this is a stream: send "accept: text/event-stream"');
      } else if (!session.streams.resume(request.header('last-event-id') ?? '', reply)) session.openStream(reply);
    },
    close() {
      closing.abort();
      rounds.close();
      sessions.close();
    },
  };
}

/** By its envelope, or by the version in its header: one that lacks the envelope is told so. */
function isOfRequestEra({ method, params }: Pick<RpcRequest, 'method' | 'params'>, request: HttpRequest): boolean {
  if (claimsEnvelope(params) || method === 'server/discover' || method === 'subscriptions/listen') return true;
  return (request.header(VERSION_HEADER) ?? '') >= '2026';
}

/** A request names its protocol version since 2025-06-18, and before that none. One that nobody speaks is refused. */
function speaks(request: HttpRequest, versions: readonly string[], reply: HttpReply): boolean {
  const version = request.header(VERSION_HEADER);
  if (version === undefined || versions.includes(version)) return true;
  const known = versions.join(', ');
  refuse(reply, 400, `the protocol version ${quoteValue(version)} in MCP-Protocol-Version is not one of ${known}`);
  return false;
}

function sessionFor(sessions: HttpSessions, request: HttpRequest, reply: HttpReply): HttpSession | undefined {
  if (!speaks(request, SESSION_ERA_VERSIONS, reply)) return undefined;
  const id = request.header(SESSION_HEADER);
  const session = id === undefined ? undefined : sessions.find(id, request.principal);
  if (session) return session;
  if (id === undefined) refuse(reply, 400, 'the header Mcp-Session-Id is missing: begin with initialize');
  else refuse(reply, 404, 'there is no such session any more: begin anew with initialize');
  return undefined;
}

function hear(
  { running, state, watch }: HttpSession,
  message: Exclude<RpcMessage, { kind: 'refusal' | 'request' }>,
): void {
  if (message.kind === 'response') state.requests.settle(message);
  else if (message.method === 'notifications/cancelled') running.cancel(keyOfId(message.params.requestId));
  else if (message.method === 'notifications/initialized') watch.start();
}

/** Refusals are answered like requests; what needs no answer is heard. */
function answerBatch(
  parts: McpHttpParts,
  session: HttpSession,
  batch: readonly RpcMessage[],
  { accept, reply }: SessionEraAnswer,
): void {
  const answered = batch.filter((message) => message.kind === 'request' || message.kind === 'refusal');
  for (const message of batch)
    if (message.kind === 'notification' || message.kind === 'response') hear(session, message);
  if (answered.length === 0) reply.send(202, {}, []);
  const shared = createBatchReply(reply, answered.length);
  // All of them answer in the same way.
  const own = { accept: takesStream(accept) ? 'text/event-stream' : 'application/json', reply: shared, isAlone: false };
  for (const message of answered) {
    if (message.kind === 'request') void answerInSession(parts, session, message, own);
    else new HttpAnswer(own).error(message.rawId, message.error, 200);
  }
}

interface SessionEraAnswer {
  /** What the client's `Accept` names. */
  readonly accept: string | undefined;
  readonly reply: HttpReply;
  readonly headers?: Readonly<Record<string, string>>;
  /** False for one of a batch, whose stream ends with its connection. */
  readonly isAlone?: boolean;
}

/**
 * A connection that is lost cancels nothing in the earlier era: what was on its way as a stream can be fetched. But nobody
 * is asked over it any more.
 */
async function answerInSession(
  parts: McpHttpParts,
  { session, state, running, streams }: HttpSession,
  message: RpcRequest,
  { accept, reply, headers, isAlone = true }: SessionEraAnswer,
): Promise<void> {
  const isPrimed = state.version === SESSION_ERA_VERSIONS[0];
  const openStream: HttpAnswerOptions['openStream'] = (own, more) => streams.open(own, { headers: more, isPrimed });
  const answer = new HttpAnswer({ reply, accept, ...(headers && { headers }), ...(isAlone && { openStream }) });
  const gone = new AbortController();
  reply.onGone(() => gone.abort());
  let controller: AbortController | undefined;
  try {
    controller = running.begin(message.idKey);
    const own = state.answer(message.method, message.params);
    const result = own ?? (await runMethod(parts, message, exchangeOf({ session, state, answer, controller, gone })));
    answer.result(message.rawId, result);
  } catch (error) {
    answer.error(message.rawId, toRpcError(error, parts.onBug), 200);
  } finally {
    if (controller) running.end(message.idKey);
  }
}

interface SessionExchange {
  readonly session: Session;
  readonly state: HttpSession['state'];
  readonly answer: HttpAnswer;
  readonly controller: AbortController;
  readonly gone: AbortController;
}

function exchangeOf({ session, state, answer, controller, gone }: SessionExchange): Exchange {
  const { capabilities, logLevel, requests } = state;
  const send = (message: string) => answer.notify(message);
  return {
    era: 'session',
    ...{ session, capabilities, logLevel },
    abortSignal: controller.signal,
    notify: send,
    get isBehind() {
      return answer.isBehind;
    },
    onCaughtUp: (listener) => answer.onCaughtUp(listener),
    ask(question) {
      const abortSignal = AbortSignal.any([controller.signal, gone.signal]);
      return requests.ask(question, { capabilities, abortSignal, send });
    },
  };
}

function refuse(reply: HttpReply, status: number, reason: string): void {
  reply.send(status, JSON_HEADERS, [errorMessage('null', new RpcError(RPC_CODES.invalidRequest, reason))]);
}
