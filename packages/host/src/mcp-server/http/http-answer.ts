import type { RpcError } from '../rpc-error.ts';
import { errorMessage, type ResultJson, resultFrame } from '../write-message.ts';
import { type HttpReply, type HttpStream, JSON_HEADERS, STREAM_HEADERS } from './http-exchange.ts';

/** An answer that takes longer becomes a stream, whose comments keep the connection. */
const PATIENCE_MS = 10_000;
const HEARTBEAT_MS = 15_000;
const EVENT_HEAD = 'event: message\ndata: ';
const EVENT_TAIL = '\n\n';

export interface HttpAnswerOptions {
  readonly reply: HttpReply;
  /** What the client's `Accept` names. */
  readonly accept: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether the client takes a stream of events. */
export function takesStream(accept = '*/*'): boolean {
  return accept.includes('*/*') || accept.includes('text/event-stream');
}

/**
 * The answer to one POST: plain JSON, unless something is said ahead of the result, or the client takes a stream only.
 * Then it is a stream of server-sent events, of which the result is the last.
 */
export class HttpAnswer {
  readonly #reply: HttpReply;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #takesJson: boolean;
  readonly #takesStream: boolean;
  #stream: HttpStream | undefined;
  #timer: NodeJS.Timeout;
  #isDone = false;

  constructor({ reply, accept = '*/*', headers = {} }: HttpAnswerOptions) {
    this.#reply = reply;
    this.#headers = headers;
    this.#takesStream = takesStream(accept);
    this.#takesJson = accept.includes('*/*') || accept.includes('application/json') || !this.#takesStream;
    this.#timer = setTimeout(() => this.#beat(), PATIENCE_MS);
    reply.onGone(() => this.#finish());
  }

  get isBehind(): boolean {
    return this.#stream?.isBehind ?? false;
  }

  onCaughtUp(listener: () => void): void {
    if (this.#stream) this.#stream.onCaughtUp(listener);
    else listener();
  }

  /** Says something ahead of the result; nothing where the client takes no stream. */
  notify(message: string): void {
    if (!this.#isDone) this.#openStream()?.write(EVENT_HEAD + message + EVENT_TAIL);
  }

  result(rawId: string, json: ResultJson): void {
    const [head, tail] = resultFrame(rawId);
    this.#end(200, [head, json, tail]);
  }

  /** `status` counts where nothing was said before. */
  error(rawId: string, error: RpcError, status: number): void {
    this.#end(status, [errorMessage(rawId, error)]);
  }

  #end(status: number, parts: readonly (string | Uint8Array)[]): void {
    if (this.#isDone) return;
    if (!this.#takesJson) this.#openStream();
    const stream = this.#stream;
    this.#finish();
    if (!stream) {
      this.#reply.send(status, { ...JSON_HEADERS, ...this.#headers }, parts);
      return;
    }
    for (const part of [EVENT_HEAD, ...parts, EVENT_TAIL]) stream.write(part);
    stream.end();
  }

  #openStream(): HttpStream | undefined {
    if (!this.#takesStream) return undefined;
    this.#stream ??= this.#reply.openStream(200, { ...STREAM_HEADERS, ...this.#headers });
    return this.#stream;
  }

  #beat(): void {
    const stream = this.#openStream();
    if (!stream) return;
    if (!stream.isBehind) stream.write(':\n\n');
    this.#timer = setTimeout(() => this.#beat(), HEARTBEAT_MS);
  }

  #finish(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }
}
