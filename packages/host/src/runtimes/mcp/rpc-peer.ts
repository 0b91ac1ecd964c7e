import { isJsonObject, type JsonObject, messageOf, quoteValue } from '@toolpost/protocol';
import type { LogLevel } from '@toolpost/sdk';
import type { WriteLog } from '../../processes/quiet-log.ts';
import { RPC_CODES, RpcError, readRpcError } from './rpc-error.ts';
import type { SendOptions, Transport } from './transport.ts';

/** What a request of ours gets beside its answer. */
export interface RequestOptions extends Pick<SendOptions, 'headers'> {
  readonly onProgress?: ((update: JsonObject) => void) | undefined;
  /** A call, to which a question of the server may belong. */
  readonly call?: unknown;
}

export interface SentRequest {
  readonly id: number;
  readonly answer: Promise<JsonObject>;
}

interface InFlight {
  readonly method: string;
  readonly options: RequestOptions;
  readonly abort: AbortController | undefined;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

export interface PeerHandlers {
  /** Answers a request of the server. @throws RpcError, or whatever is then told as an internal error. */
  onRequest(method: string, params: JsonObject): Promise<JsonObject>;
  onNotification(method: string, params: JsonObject): void;
  log: WriteLog<LogLevel>;
}

/**
 * JSON-RPC with one server: our requests by small numbers, its answers in any order, its own requests and notifications.
 * What a server sends that fits nothing is logged and does nothing (fault B 31).
 */
export class RpcPeer {
  readonly #transport: Transport;
  readonly #handlers: PeerHandlers;
  readonly #inFlight = new Map<number, InFlight>();
  #lastId = 0;
  /** In the later era each message says of itself what `initialize` said once. */
  #envelope: JsonObject | undefined;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
  }

  /** From now on, each message carries these members in its `_meta`. */
  useEnvelope(envelope: JsonObject): void {
    this.#envelope = envelope;
  }

  /** The calls that wait for an answer, oldest first. */
  callsInFlight<Call>(isCall: (call: unknown) => call is Call): Call[] {
    return [...this.#inFlight.values()].flatMap(({ options }) => (isCall(options.call) ? [options.call] : []));
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  request(method: string, params: JsonObject = {}, options: RequestOptions = {}): SentRequest {
    const id = ++this.#lastId;
    const progressToken = options.onProgress && { progressToken: id };
    const abort = this.#transport.hasRequestStreams && this.#envelope ? new AbortController() : undefined;
    const message = { jsonrpc: '2.0', id, method, params: this.#withMeta(params, progressToken) };
    const answer = new Promise<JsonObject>((resolve, reject) => {
      this.#inFlight.set(id, { method, options, abort, resolve, reject });
    });
    this.#sendRequest(id, message, { headers: options.headers, abortSignal: abort?.signal });
    return { id, answer };
  }

  /** Gives up a request: its caller is released at once, whatever the server does about it. */
  cancel(id: number, reason: string): void {
    const request = this.#take(id);
    if (!request) return;
    request.reject(new Error(reason));
    // The end of its stream says it already; `initialize` may not be cancelled.
    if (request.abort) request.abort.abort();
    else if (request.method !== 'initialize') void this.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Resolves when it was sent, or could not be. */
  async notify(method: string, params: JsonObject = {}): Promise<void> {
    const message = { jsonrpc: '2.0', method, params: this.#withMeta(params) };
    await this.#send(message).catch((error: unknown) => this.#note(`${method} was not sent: ${String(error)}`));
  }

  receive(message: JsonObject): void {
    const { id, method } = message;
    if (typeof method !== 'string') this.#receiveAnswer(message);
    else if (id === undefined) this.#receiveNotification(method, paramsOf(message));
    else void this.#answerRequest(id, method, paramsOf(message));
  }

  /** An answer that was lost on the way. */
  lose(id: number | undefined, reason: string): void {
    if (id !== undefined) this.#take(id)?.reject(new Error(reason));
    else this.fail(new Error(`${reason}, and its start does not say which request it answers`));
  }

  /** Everything in flight rejects. */
  fail(error: Error): void {
    for (const id of [...this.#inFlight.keys()]) {
      const request = this.#take(id);
      request?.abort?.abort();
      request?.reject(error);
    }
  }

  #sendRequest(id: number, message: JsonObject, options: SendOptions): void {
    const onStreamEnd = (): void => this.lose(id, 'the server ended its stream without an answer');
    void this.#send(message, { ...options, onStreamEnd }).catch((error: unknown) => {
      this.#take(id)?.reject(error instanceof Error ? error : new Error(String(error)));
    });
  }

  #receiveAnswer(message: JsonObject): void {
    const id = idOf(message.id);
    const request = id === undefined ? undefined : this.#take(id);
    if (!request) this.#note(`nobody waits for it: ${quoteValue(message)}`);
    else if (message.error !== undefined) request.reject(readRpcError(message.error));
    else if (isJsonObject(message.result)) request.resolve(message.result);
    else
      request.reject(
        new Error(`the server's answer to ${request.method} has no result: ${quoteValue(message.result)}`),
      );
  }

  #receiveNotification(method: string, params: JsonObject): void {
    if (method !== 'notifications/progress') {
      this.#handlers.onNotification(method, params);
      return;
    }
    const id = idOf(params.progressToken);
    const onProgress = id === undefined ? undefined : this.#inFlight.get(id)?.options.onProgress;
    if (onProgress) onProgress(params);
    else this.#note(`progress of nothing that runs: ${quoteValue(params)}`);
  }

  /** The id goes back as it came, byte for byte. */
  async #answerRequest(id: unknown, method: string, params: JsonObject): Promise<void> {
    const answer = await this.#handlers.onRequest(method, params).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: toWireError(error) }),
    );
    await this.#send({ jsonrpc: '2.0', id, ...answer }).catch((error: unknown) =>
      this.#note(`the answer to ${method} was not sent: ${String(error)}`),
    );
  }

  async #send(message: JsonObject, options?: SendOptions): Promise<void> {
    await this.#transport.send(message, options);
  }

  #withMeta(params: JsonObject, more: JsonObject = {}): JsonObject {
    if (!this.#envelope && Object.keys(more).length === 0) return params;
    const own = isJsonObject(params._meta) ? params._meta : {};
    return { ...params, _meta: { ...this.#envelope, ...own, ...more } };
  }

  #take(id: number): InFlight | undefined {
    const request = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    return request;
  }

  #note(text: string): void {
    this.#handlers.log(`ignored: ${text}`, 'debug');
  }
}

function paramsOf({ params }: JsonObject): JsonObject {
  return isJsonObject(params) ? params : {};
}

/** Some servers answer `"7"` to 7. */
function idOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined;
}

function toWireError(error: unknown): JsonObject {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  return { code: RPC_CODES.internalError, message: messageOf(error) };
}
