import type { RpcError } from '../rpc-error.ts';
import { errorMessage, type ResultJson, resultFrame } from '../write-message.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { type HttpReply, JSON_HEADERS, STREAM_HEADERS } from './http-exchange.ts';

/** An answer that takes longer becomes a stream, whose comments keep the connection. */
const PATIENCE_MS = 10_000;
const HEARTBEAT_MS = 15_000;

export interface HttpAnswerOptions {
  readonly reply: HttpReply;
  /** What the client's `Accept` names. */
  readonly accept: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: a stream ends with its connection. */
  readonly openStream?: (reply: HttpReply, headers: Readonly<Record<string, string>>) => EventStream;
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
  readonly #open: NonNullable<HttpAnswerOptions['openStream']>;
  #stream: EventStream | undefined;
  #timer: NodeJS.Timeout;
  #isDone = false;

  constructor({ reply, accept = '*/*', headers = {}, openStream = openPlain }: HttpAnswerOptions) {
    this.#reply = reply;
    this.#open = openStream;
    this.#headers = headers;
    this.#takesStream = takesStream(accept);
    this.#takesJson = accept.includes('*/*') || accept.includes('application/json') || !this.#takesStream;
    this.#timer = setTimeout(() => this.#beat(), PATIENCE_MS);
    reply.onGone(() => {
      if (!this.#stream?.isKept) this.#finish();
    });
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
    if (!this.#isDone) this.#openStream()?.send([message]);
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
    stream.send(parts);
    stream.end();
  }

  #openStream(): EventStream | undefined {
    if (!this.#takesStream) return undefined;
    this.#stream ??= this.#open(this.#reply, this.#headers);
    return this.#stream;
  }

  #beat(): void {
    const stream = this.#openStream();
    if (!stream) return;
    if (!stream.isBehind) stream.beat();
    this.#timer = setTimeout(() => this.#beat(), HEARTBEAT_MS);
  }

  #finish(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }
}

function openPlain(reply: HttpReply, headers: Readonly<Record<string, string>>): EventStream {
  return createEventStream(reply.openStream(200, { ...STREAM_HEADERS, ...headers }));
}
