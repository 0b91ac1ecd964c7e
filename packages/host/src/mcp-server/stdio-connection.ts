import type { Session } from '@toolpost/protocol';
import type { Exchange } from './exchange.ts';
import type { McpParts } from './mcp-parts.ts';
import type { MessageWriter } from './message-writer.ts';
import { ASKING_METHODS, discover, runMethod } from './methods.ts';
import { claimsEnvelope, type Envelope, readEnvelope } from './protocol-era.ts';
import {
  BATCH_VERSION,
  keyOfId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  readBatch,
  readMessage,
} from './read-message.ts';
import { createRounds, type Rounds } from './rounds.ts';
import { RPC_CODES, RpcError } from './rpc-error.ts';
import { createRunningRequests, type RunningRequests, toRpcError } from './running-requests.ts';
import { clientOf, createSessionState, type SessionState } from './session-state.ts';
import { listen } from './subscription.ts';
import { LIST_CHANGED, type ListWatch, watchLists } from './watch-lists.ts';
import { errorMessage, notificationMessage, type ResultJson } from './write-message.ts';

export interface StdioConnectionParts extends McpParts {
  readonly session: Session;
  readonly writer: MessageWriter;
  /** Hears of errors that nobody meant to throw. */
  readonly onBug: (error: unknown) => void;
}

/** So long calls may take to be cancelled. */
const FAREWELL_MS = 1000;

/** The methods that only the later era has. */
const REQUEST_ERA_METHODS: ReadonlySet<string> = new Set(['server/discover', 'subscriptions/listen']);

/**
 * One client on one pair of pipes, of either era: a request with an envelope is of the later one. Requests run side by
 * side, and each is answered once, unless the client cancels it.
 */
export class StdioConnection {
  readonly #parts: StdioConnectionParts;
  readonly #running: RunningRequests = createRunningRequests();
  readonly #state: SessionState = createSessionState();
  readonly #rounds: Rounds = createRounds();
  readonly #closing = new AbortController();
  readonly #watch: ListWatch;
  /** The client has sent a request with an envelope, and no `initialize`. */
  #isOfRequestEra = false;

  constructor(parts: StdioConnectionParts) {
    this.#parts = parts;
    this.#watch = watchLists(parts, clientOf(parts.session, this.#state), (kind) =>
      parts.writer.send(notificationMessage(LIST_CHANGED[kind])),
    );
  }

  /** Takes one line. Never throws. */
  receive(line: string): void {
    const batch = this.#state.version === BATCH_VERSION ? readBatch(line) : undefined;
    for (const message of batch ?? [readMessage(line)]) this.#take(message);
  }

  #take(message: RpcMessage): void {
    if (message.kind === 'request') this.#answer(message);
    else if (message.kind === 'notification') this.#hear(message);
    else if (message.kind === 'response') this.#state.requests.settle(message);
    else this.#parts.writer.send(errorMessage(message.rawId, message.error));
  }

  /** Answers for a line of which only the start is known. */
  refuse(reason: string): void {
    this.#parts.writer.send(errorMessage('null', new RpcError(RPC_CODES.invalidRequest, reason)));
  }

  /** The client sends nothing more: ends subscriptions, and lets what runs end within `graceMs` before it is cancelled. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    this.#watch.close();
    this.#state.requests.close();
    this.#rounds.close();
    await this.#running.settledWithin(graceMs);
    this.#running.cancelAll();
    // A list that waits for a plugin to start heeds no cancel, and nobody waits for it any more.
    await this.#running.settledWithin(FAREWELL_MS);
  }

  #hear({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') this.#running.cancel(keyOfId(params.requestId));
    if (method === 'notifications/initialized') this.#watch.start();
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { writer, onBug } = this.#parts;
    const { rawId, idKey } = request;
    let controller: AbortController | undefined;
    try {
      controller = this.#running.begin(idKey);
      const result = this.#resultOf(request, controller.signal);
      const json = result instanceof Promise ? await result : result;
      // Who cancels a request wants no answer to it.
      if (!this.#isDropped(controller)) writer.sendResult(rawId, json);
    } catch (error) {
      if (!controller || !this.#isDropped(controller)) writer.send(errorMessage(rawId, toRpcError(error, onBug)));
    } finally {
      if (controller) this.#running.end(idKey);
    }
  }

  /** Cancelled by the client, and not by the end of the connection, where whoever still reads gets an answer. */
  #isDropped(controller: AbortController): boolean {
    return controller.signal.aborted && !this.#closing.signal.aborted;
  }

  #resultOf(request: RpcRequest, abortSignal: AbortSignal): ResultJson | Promise<ResultJson> {
    const { method, params } = request;
    if (claimsEnvelope(params) || REQUEST_ERA_METHODS.has(method) || this.#isOfRequestEra) {
      if (method !== 'initialize') return this.#inRequestEra(request, readEnvelope(params), abortSignal);
    }
    if (method === 'initialize') this.#isOfRequestEra = false;
    return this.#state.answer(method, params) ?? runMethod(this.#parts, request, this.#sessionExchange(abortSignal));
  }

  #inRequestEra(request: RpcRequest, envelope: Envelope, abortSignal: AbortSignal): ResultJson | Promise<ResultJson> {
    const { id, method, params } = request;
    if (!this.#state.isInitialized && method !== 'server/discover') this.#isOfRequestEra = true;
    if (method === 'server/discover') return discover();
    const exchange = this.#requestExchange(envelope, abortSignal);
    if (method === 'subscriptions/listen')
      return listen(this.#parts, { id, params, closing: this.#closing.signal }, exchange);
    if (!ASKING_METHODS.has(method)) return runMethod(this.#parts, request, exchange);
    const run = async (asking: Exchange) => runMethod(this.#parts, request, asking);
    return this.#rounds.answer({ method, params, run }, exchange);
  }

  #sessionExchange(abortSignal: AbortSignal): Exchange {
    const { capabilities, logLevel, requests } = this.#state;
    const { session, writer } = this.#parts;
    const send = (message: string) => writer.send(message);
    return {
      era: 'session',
      ...{ session, capabilities, logLevel, abortSignal },
      notify: send,
      get isBehind() {
        return writer.isBehind;
      },
      onCaughtUp: writer.onCaughtUp,
      ask: (question) => requests.ask(question, { capabilities, abortSignal, send }),
    };
  }

  #requestExchange({ capabilities, logLevel }: Envelope, abortSignal: AbortSignal): Exchange {
    const { session, writer } = this.#parts;
    return {
      era: 'request',
      ...{ session, capabilities, logLevel, abortSignal },
      notify: (message) => writer.send(message),
      get isBehind() {
        return writer.isBehind;
      },
      onCaughtUp: writer.onCaughtUp,
      ask: () => Promise.reject(new Error('only requests that may be sent again can ask')),
    };
  }
}
