import { type EventStream, writeEvent } from './event-stream.ts';
import { type HttpBody, type HttpReply, type HttpStream, STREAM_HEADERS } from './http-exchange.ts';

/** Of one session: so many streams, and of each the last events, in bytes or characters. */
const MAX_STREAMS = 32;
const MAX_KEPT = 1024 * 1024;
/** So long a client has to come back for the rest of a stream that has ended. */
const KEPT_AFTER_END_MS = 5 * 60_000;
/** After so long it may come back. */
const RETRY_MS = 500;

/** The streams of a session that a client may go on with over another connection, by the id of the last event it has. */
export interface KeptStreams {
  open(reply: HttpReply, options: OpenOptions): EventStream;
  /** Sends what came after that event, and what comes from now on. Returns false when nothing is known of its stream. */
  resume(lastEventId: string, reply: HttpReply): boolean;
  close(): void;
}

export interface OpenOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Its first event is an id without data, so that a client can come back before there was any other. */
  readonly isPrimed: boolean;
}

export function createKeptStreams(): KeptStreams {
  const streams = new Map<number, KeptStream>();
  let opened = 0;

  return {
    open(reply, { headers, isPrimed }) {
      const number = ++opened;
      const stream = new KeptStream(number, () => {
        setTimeout(() => streams.delete(number), KEPT_AFTER_END_MS).unref();
      });
      streams.set(number, stream);
      const [oldest] = streams.keys();
      if (streams.size > MAX_STREAMS && oldest !== undefined) streams.delete(oldest);
      stream.connect(reply, { headers, after: 0, isPrimed });
      return stream;
    },
    resume(lastEventId, reply) {
      const [, number, after] = /^(\d{1,15})-(\d{1,15})$/.exec(lastEventId) ?? [];
      const stream = streams.get(Number(number));
      stream?.connect(reply, { headers: {}, after: Number(after), isPrimed: false });
      return stream !== undefined;
    },
    close() {
      for (const stream of streams.values()) stream.disconnect();
      streams.clear();
    },
  };
}

interface Connecting {
  readonly headers: Readonly<Record<string, string>>;
  /** The last event that the client has. */
  readonly after: number;
  readonly isPrimed: boolean;
}

class KeptStream implements EventStream {
  readonly isKept = true;
  readonly #number: number;
  readonly #onEnd: () => void;
  #connection: HttpStream | undefined;
  #events: { readonly at: number; readonly message: HttpBody }[] = [];
  #size = 0;
  #sent = 0;
  #isEnded = false;
  #waiting: (() => void)[] = [];

  constructor(number: number, onEnd: () => void) {
    this.#number = number;
    this.#onEnd = onEnd;
  }

  /** Whoever is not there is as far behind as can be. */
  get isBehind(): boolean {
    return this.#connection?.isBehind ?? true;
  }

  onCaughtUp(listener: () => void): void {
    if (this.#connection) this.#connection.onCaughtUp(listener);
    else this.#waiting.push(listener);
  }

  send(message: HttpBody): void {
    const event = { at: ++this.#sent, message };
    this.#events.push(event);
    this.#size += sizeOf(message);
    while (this.#size > MAX_KEPT && this.#events.length > 1) this.#size -= sizeOf(this.#events.shift()?.message ?? []);
    this.#write(event);
  }

  beat(): void {
    this.#connection?.write(':\n\n');
  }

  end(): void {
    this.#isEnded = true;
    this.disconnect();
    this.#onEnd();
  }

  /** Takes the place of an earlier connection: no event goes to two. */
  connect(reply: HttpReply, { headers, after, isPrimed }: Connecting): void {
    this.disconnect();
    const connection = reply.openStream(200, { ...STREAM_HEADERS, ...headers });
    this.#connection = connection;
    reply.onGone(() => {
      if (this.#connection === connection) this.#connection = undefined;
    });
    if (isPrimed) connection.write(`id: ${this.#number}-0\nretry: ${RETRY_MS}\ndata: \n\n`);
    for (const event of this.#events) if (event.at > after) this.#write(event);
    if (this.#isEnded) this.disconnect();
    for (const listener of this.#waiting.splice(0)) listener();
  }

  disconnect(): void {
    this.#connection?.end();
    this.#connection = undefined;
  }

  #write({ at, message }: { readonly at: number; readonly message: HttpBody }): void {
    if (this.#connection) writeEvent(this.#connection, `id: ${this.#number}-${at}\n`, message);
  }
}

function sizeOf(message: HttpBody): number {
  return message.reduce((sum, part) => sum + part.length, 0);
}
