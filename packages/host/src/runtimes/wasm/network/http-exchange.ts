import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Host } from '../../../permissions/host-policy.ts';
import type { Channel, ChannelFlags } from './channel-table.ts';
import { createDeadlines } from './deadlines.ts';
import { authorityOf, fromRawHeaders, latin1, toRawHeaders } from './http-headers.ts';
import { IncomingFlow } from './incoming-flow.ts';
import { BODY_DONE, type HeaderEntries, type RequestHead, type ResponseHead, SETTLED } from './net-messages.ts';
import { httpRefusal, httpRefusalOf } from './network-error.ts';
import { FLOW_BYTES, type NetworkLimits } from './network-limits.ts';
import { type ConnectionContext, openConnection } from './open-connection.ts';
import { OutgoingFlow } from './outgoing-flow.ts';

export interface HttpExchangeOptions {
  readonly head: RequestHead;
  /** The host and port of `head.authority`, allowed as they are written. */
  readonly target: { readonly host: Host; readonly port: number };
  readonly context: ConnectionContext;
  readonly limits: NetworkLimits;
  readonly flags: ChannelFlags;
}

/**
 * One request and its response, on a connection of its own. Redirects are not followed: they are the guest's to follow,
 * with a request that is checked like any other.
 */
export class HttpExchange implements Channel {
  readonly #options: HttpExchangeOptions;
  readonly #abort = new AbortController();
  readonly #deadlines = createDeadlines();
  readonly #body = new PassThrough({ highWaterMark: FLOW_BYTES });
  readonly #bodyKnown = Promise.withResolvers<boolean>();
  readonly #outgoing: OutgoingFlow;
  #incoming: IncomingFlow | undefined;
  #socket: Socket | undefined;
  #response: IncomingMessage | undefined;
  #failure: Error | undefined;
  #trailers: HeaderEntries = [];

  constructor(options: HttpExchangeOptions) {
    this.#options = options;
    const { head, flags, limits } = options;
    this.#outgoing = new OutgoingFlow({ stream: this.#body, flags, errorOf: httpRefusalOf });
    if (!head.hasBody) this.finish([]);
    this.#deadlines.start('exchange', limits.exchangeMs, () =>
      this.#fail(httpRefusal({ tag: this.#response ? 'connection-read-timeout' : 'HTTP-response-timeout' })),
    );
    this.#run().catch((error) => this.#fail(httpRefusalOf(error)));
  }

  /** The head of the response. @throws LinkRefusal with an HttpErrorCode. */
  response(): ResponseHead {
    if (!this.#response) throw this.#failure ?? httpRefusal({ tag: 'internal-error', val: 'there is no response yet' });
    return { status: this.#response.statusCode ?? 0, headers: fromRawHeaders(this.#response.rawHeaders) };
  }

  /** The trailers, once the body has been read. @throws LinkRefusal */
  trailers(): HeaderEntries {
    if (this.#failure) throw this.#failure;
    return fromRawHeaders(this.#response?.rawTrailers ?? []);
  }

  read(maxBytes: number): Uint8Array | null {
    return this.#incoming ? this.#incoming.read(maxBytes) : new Uint8Array();
  }

  drain(): void {
    this.#incoming?.drain();
  }

  write(bytes: Uint8Array): void {
    this.#bodyKnown.resolve(true);
    this.#outgoing.write(bytes);
  }

  /** The body is whole: sent with what was written, or as none when nothing was. */
  finish(trailers: HeaderEntries): void {
    this.#bodyKnown.resolve(trailers.length > 0);
    this.#trailers = trailers;
    this.#outgoing.finish();
  }

  explainWriteEnd(): void {
    this.#outgoing.explainEnd();
  }

  destroy(): void {
    this.#fail(httpRefusal({ tag: 'connection-terminated' }));
  }

  async #run(): Promise<void> {
    const { head, target, context, limits } = this.#options;
    const timeoutMs = Math.min(head.timeouts.connectMs ?? limits.connectMs, limits.connectMs);
    const { signal: abortSignal } = this.#abort;
    this.#socket = await openConnection({ ...target, isTls: head.isTls, timeoutMs, abortSignal }, context);
    if (this.#failure) this.#socket.destroy();
    const hasBody = await this.#bodyKnown.promise;
    if (!this.#failure) this.#send(this.#socket, hasBody);
  }

  #send(socket: Socket, hasBody: boolean): void {
    const { head, target, limits } = this.#options;
    const request = http.request({
      createConnection: () => socket,
      method: head.method,
      path: head.path,
      headers: toRawHeaders({ ...head, authority: authorityOf(target, head.isTls) }, hasBody),
      maxHeaderSize: limits.headerBytes,
      insecureHTTPParser: false,
    });
    request.once('response', (response) => this.#receive(response));
    request.once('upgrade', (_response, upgraded) => {
      upgraded.destroy();
      this.#fail(httpRefusal({ tag: 'HTTP-upgrade-failed' }));
    });
    request.on('error', (error) => this.#fail(httpRefusalOf(error)));
    request.once('close', () => this.#outgoing.fail(httpRefusal({ tag: 'connection-terminated' })));
    request.once('finish', () => this.#awaitResponse());
    this.#pipeBody(request);
  }

  #pipeBody(request: ClientRequest): void {
    this.#body.pipe(request, { end: false });
    this.#body.once('end', () => {
      if (this.#trailers.length > 0)
        request.addTrailers(this.#trailers.map(([name, value]): [string, string] => [name, latin1(value)]));
      request.end();
    });
  }

  #awaitResponse(): void {
    const { head, limits } = this.#options;
    if (this.#response) return;
    const firstByteMs = Math.min(head.timeouts.firstByteMs ?? limits.firstByteMs, limits.firstByteMs);
    this.#deadlines.start('response', firstByteMs, () => this.#fail(httpRefusal({ tag: 'HTTP-response-timeout' })));
  }

  #receive(response: IncomingMessage): void {
    const { head, limits, flags } = this.#options;
    const betweenMs = Math.min(head.timeouts.betweenBytesMs ?? limits.betweenBytesMs, limits.betweenBytesMs);
    const tooLarge = () => httpRefusal({ tag: 'HTTP-response-body-size', val: BigInt(limits.bodyBytes) });
    this.#deadlines.stop('response');
    this.#response = response;
    this.#incoming = new IncomingFlow({
      stream: response,
      flags,
      errorOf: () => this.#failure ?? httpRefusal({ tag: 'HTTP-response-incomplete' }),
      limit: { maxBytes: limits.bodyBytes, error: tooLarge },
      onWaiting: (isWaiting) => {
        if (!isWaiting) this.#deadlines.stop('piece');
        else
          this.#deadlines.start('piece', betweenMs, () => this.#fail(httpRefusal({ tag: 'connection-read-timeout' })));
      },
      onDone: (failure) => (failure ? this.#fail(failure) : this.#finishResponse()),
    });
    flags.raise(SETTLED);
  }

  #finishResponse(): void {
    this.#deadlines.stopAll();
    this.#options.flags.raise(BODY_DONE);
  }

  /** Ends everything, with this as the reason for what the guest has not got yet. */
  #fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#deadlines.stopAll();
    this.#abort.abort();
    this.#bodyKnown.resolve(false);
    this.#incoming?.fail(error);
    this.#outgoing.fail(error);
    this.#body.destroy();
    this.#response?.destroy();
    this.#socket?.destroy();
    this.#options.flags.raise(SETTLED | BODY_DONE);
  }
}
