import type { HttpErrorCode } from '../../../network/net-messages.ts';
import { FLOW_BYTES } from '../../../network/network-limits.ts';
import { IoError } from '../../io/io-error.ts';
import { type OutputSink, OutputStream } from '../../io/output-stream.ts';
import type { Channel } from '../channel.ts';
import type { Fields } from './fields.ts';
import type { HttpContext } from './http-context.ts';

/** What may be written of a body before its request is handed over. */
const MAX_UNSENT_BYTES = 1024 * 1024;

/** The resource `outgoing-body` of wasi:http: written before or after its request is handed over. */
export class OutgoingBody {
  readonly #context: HttpContext;
  readonly #contentLength: number | undefined;
  #unsent: Uint8Array[] = [];
  #unsentBytes = 0;
  #writtenBytes = 0;
  #channel: Channel | undefined;
  #sink: OutputSink | undefined;
  #state: 'open' | 'finished' | 'dropped' = 'open';
  #isStreamTaken = false;
  #trailers: Fields | undefined;

  /** `contentLength` is what the request's headers say. */
  constructor(context: HttpContext, contentLength: number | undefined) {
    this.#context = context;
    this.#contentLength = contentLength;
  }

  write(): OutputStream {
    if (this.#isStreamTaken) throw undefined;
    this.#isStreamTaken = true;
    return new OutputStream(this.#context.net.scope, {
      isReady: () => this.#sink?.isReady() ?? true,
      permit: () => this.#permit(),
      write: (bytes) => this.#write(bytes),
      flush: () => this.#sink?.flush?.(),
    });
  }

  static finish(body: OutgoingBody, trailers: Fields | undefined): void {
    body.#finish(trailers);
  }

  /** Whether something follows the head of the request, as far as is known yet. */
  get hasContent(): boolean {
    return this.#state === 'open' || this.#writtenBytes > 0 || this.#trailers !== undefined;
  }

  /** Why a request with this body cannot be sent, if so. */
  get problem(): HttpErrorCode | undefined {
    if (this.#state === 'dropped' && this.#writtenBytes > 0) return { tag: 'HTTP-protocol-error' };
    return this.#state === 'open' ? undefined : this.#lengthProblem();
  }

  /** The request has been handed over: what was written goes out, and all that will be. */
  attach(channel: Channel): void {
    const unsent = this.#takeUnsent();
    this.#channel = channel;
    this.#sink = channel.output('http');
    for (const piece of unsent) channel.write(piece);
    if (this.#state !== 'open') this.#send();
  }

  /** The request will not be handed over: what was written goes nowhere, and nothing more is taken. */
  discard(): void {
    if (this.#channel) return;
    this.#takeUnsent();
    this.#state = 'dropped';
  }

  /** A body that is dropped unfinished is broken off, unless nothing was written: then it is none. */
  [Symbol.dispose](): void {
    if (this.#state !== 'open') return;
    this.#state = 'dropped';
    if (this.problem) this.#takeUnsent();
    if (this.problem) this.#channel?.abort();
    else if (this.#channel) this.#send();
  }

  #finish(trailers: Fields | undefined): void {
    this.#state = 'finished';
    this.#trailers = trailers;
    const problem = this.#lengthProblem();
    if (problem) {
      this.#channel?.abort();
      throw problem;
    }
    if (this.#channel) this.#send();
  }

  #send(): void {
    this.#channel?.finish(this.#trailers?.toEntries());
    this.#trailers?.[Symbol.dispose]();
  }

  #permit(): number | undefined {
    if (this.#state !== 'open') return undefined;
    if (this.#sink) return this.#sink.permit();
    const left = Math.min(MAX_UNSENT_BYTES - this.#unsentBytes, this.#context.budget.left, FLOW_BYTES);
    if (left > 0) return left;
    // Waiting would be for ever: a guest that stands still hands nothing over.
    throw new IoError(`the request has to be handed over before more than ${this.#unsentBytes} bytes of its body`);
  }

  #write(bytes: Uint8Array): void {
    this.#writtenBytes += bytes.length;
    if (this.#contentLength !== undefined && this.#writtenBytes > this.#contentLength)
      throw new IoError(`the body is longer than its Content-Length of ${this.#contentLength}`, {
        http: this.#lengthProblem(),
      });
    if (this.#sink) this.#sink.write(bytes);
    else {
      this.#context.budget.take(bytes.length);
      this.#unsentBytes += bytes.length;
      this.#unsent.push(bytes.slice());
    }
  }

  #takeUnsent(): readonly Uint8Array[] {
    const unsent = this.#unsent;
    this.#context.budget.give(this.#unsentBytes);
    this.#unsent = [];
    this.#unsentBytes = 0;
    return unsent;
  }

  #lengthProblem(): HttpErrorCode | undefined {
    if (this.#contentLength === undefined || this.#contentLength === this.#writtenBytes) return undefined;
    return { tag: 'HTTP-request-body-size', val: BigInt(this.#writtenBytes) };
  }
}
