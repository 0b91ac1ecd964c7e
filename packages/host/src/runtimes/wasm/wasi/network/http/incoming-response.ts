import { LinkRefusal } from '../../../host-link.ts';
import { BODY_DONE, type ResponseHead, SETTLED } from '../../../network/net-messages.ts';
import { InputStream } from '../../io/input-stream.ts';
import { Pollable } from '../../io/pollable.ts';
import type { Channel } from '../channel.ts';
import type { Fields } from './fields.ts';
import type { HttpContext } from './http-context.ts';

/** `result` of a component in jco's form, where it stands inside another value. */
type Result<T, E> = { readonly tag: 'ok'; readonly val: T } | { readonly tag: 'err'; readonly val: E };
/** What the two futures give: not yet; once, what came of it; then an error. */
type FutureValue<T> = Result<Result<T, unknown>, undefined> | undefined;

const TAKEN = { tag: 'err', val: undefined } as const;

/** What stands for a request holds its channel, and hands it on to what comes next. */
class ChannelHolder {
  readonly context: HttpContext;
  #channel: Channel | undefined;

  constructor(context: HttpContext, channel: Channel) {
    this.context = context;
    this.#channel = channel;
  }

  get channel(): Channel | undefined {
    return this.#channel;
  }

  /** The channel, once: the caller holds it from now on. */
  take(): Channel | undefined {
    const channel = this.#channel;
    this.#channel = undefined;
    return channel;
  }

  [Symbol.dispose](): void {
    this.take()?.release();
  }
}

/** The resource `future-incoming-response` of wasi:http. Dropped before the response is taken, it ends the request. */
export class FutureIncomingResponse {
  readonly #holder: ChannelHolder;

  constructor(context: HttpContext, channel: Channel) {
    this.#holder = new ChannelHolder(context, channel);
  }

  subscribe(): Pollable {
    const { context, channel } = this.#holder;
    return new Pollable(context.net.scope, { isReady: () => channel?.has(SETTLED) ?? true });
  }

  get(): FutureValue<IncomingResponse> {
    if (this.#holder.channel && !this.#holder.channel.has(SETTLED)) return undefined;
    const channel = this.#holder.take();
    if (!channel) return TAKEN;
    const { context } = this.#holder;
    return attempt(
      channel,
      () => new IncomingResponse(context, channel, context.net.request('net.response', channel.number)),
    );
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

/** The resource `incoming-response` of wasi:http. */
export class IncomingResponse {
  readonly #holder: ChannelHolder;
  readonly #head: ResponseHead;

  constructor(context: HttpContext, channel: Channel, head: ResponseHead) {
    this.#holder = new ChannelHolder(context, channel);
    this.#head = head;
  }

  status(): number {
    return this.#head.status;
  }

  headers(): Fields {
    return this.#holder.context.createFields(this.#head.headers);
  }

  consume(): IncomingBody {
    const channel = this.#holder.take();
    if (!channel) throw undefined;
    return new IncomingBody(this.#holder.context, channel);
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

/** The resource `incoming-body` of wasi:http. */
export class IncomingBody {
  readonly #holder: ChannelHolder;
  #isStreamTaken = false;

  constructor(context: HttpContext, channel: Channel) {
    this.#holder = new ChannelHolder(context, channel);
  }

  stream(): InputStream {
    const { context, channel } = this.#holder;
    if (this.#isStreamTaken || !channel) throw undefined;
    this.#isStreamTaken = true;
    return new InputStream(context.net.scope, channel.input('http'));
  }

  /** What the guest did not read of the body is read to nowhere, up to the limits of a body. */
  static finish(body: IncomingBody): FutureTrailers {
    const channel = body.#holder.take();
    if (!channel) throw new Error('the body was finished already');
    if (!channel.isClosed) body.#holder.context.net.request('net.drain', channel.number);
    return new FutureTrailers(body.#holder.context, channel);
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

/** The resource `future-trailers` of wasi:http. */
export class FutureTrailers {
  readonly #holder: ChannelHolder;

  constructor(context: HttpContext, channel: Channel) {
    this.#holder = new ChannelHolder(context, channel);
  }

  subscribe(): Pollable {
    const { context, channel } = this.#holder;
    return new Pollable(context.net.scope, { isReady: () => channel?.has(BODY_DONE) ?? true });
  }

  get(): FutureValue<Fields | undefined> {
    if (this.#holder.channel && !this.#holder.channel.has(BODY_DONE)) return undefined;
    const channel = this.#holder.take();
    if (!channel) return TAKEN;
    const { context } = this.#holder;
    const result = attempt(channel, () => {
      const trailers = context.net.request('net.trailers', channel.number);
      return trailers.length === 0 ? undefined : context.createFields(trailers);
    });
    if (result.val.tag === 'ok') channel.release();
    return result;
  }

  [Symbol.dispose](): void {
    this.#holder[Symbol.dispose]();
  }
}

/** What came of it as a value; the channel is let go of when it failed. */
function attempt<T>(channel: Channel, action: () => T): { tag: 'ok'; val: Result<T, unknown> } {
  try {
    if (channel.isClosed) return { tag: 'ok', val: { tag: 'err', val: { tag: 'connection-terminated' } } };
    return { tag: 'ok', val: { tag: 'ok', val: action() } };
  } catch (error) {
    channel.release();
    if (!(error instanceof LinkRefusal) || error.payload === undefined) throw error;
    return { tag: 'ok', val: { tag: 'err', val: error.payload } };
  }
}
