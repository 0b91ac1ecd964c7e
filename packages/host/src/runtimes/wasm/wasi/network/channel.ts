import { LinkRefusal } from '../../host-link.ts';
import { FLUSHED, type HeaderEntries, READABLE, WRITABLE, WRITE_ENDED } from '../../network/net-messages.ts';
import { FLOW_BYTES } from '../../network/network-limits.ts';
import type { InputSource } from '../io/input-stream.ts';
import { IoError, type IoErrorCodes } from '../io/io-error.ts';
import type { OutputSink } from '../io/output-stream.ts';
import type { NetLink } from './net-link.ts';

/** Which of wasi:http and wasi:sockets an error code of this channel is of. */
type CodeOwner = Extract<keyof IoErrorCodes, 'http' | 'network'>;

/**
 * The worker's end of one request, connection or lookup. The resources that stand for it share it; it ends when the last
 * of them is dropped.
 */
export class Channel {
  readonly #net: NetLink;
  readonly #number: number;
  readonly #flags: Int32Array;
  #holders = 1;

  constructor(net: NetLink, { number, flags }: { number: number; flags: Int32Array }) {
    this.#net = net;
    this.#number = number;
    this.#flags = flags;
  }

  get isClosed(): boolean {
    return this.#holders <= 0;
  }

  /** Its number, for requests. */
  get number(): number {
    return this.#number;
  }

  /** Whether one of these bits is raised. What is closed is ready for everything, and then fails. */
  has(bits: number): boolean {
    return this.isClosed || (Atomics.load(this.#flags, this.#number) & bits) !== 0;
  }

  hold(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#net.request('net.close', this.#number);
  }

  /** Ends it, whoever holds it. */
  abort(): void {
    if (this.isClosed) return;
    this.#holders = 0;
    this.#net.request('net.close', this.#number);
  }

  write(bytes: Uint8Array): void {
    // A number that was given back may be another channel's.
    if (this.isClosed) return;
    for (const piece of inPieces(bytes)) this.#net.request('net.write', { channel: this.#number, bytes: piece });
  }

  finish(trailers: HeaderEntries = []): void {
    if (!this.isClosed) this.#net.request('net.finish', { channel: this.#number, trailers });
  }

  /** What comes in; holds the channel until it is dropped. */
  input(owner: CodeOwner): InputSource {
    this.hold();
    return {
      isReady: () => this.has(READABLE),
      read: (maxBytes) => {
        if (this.isClosed) return undefined;
        // A guest that asks in a loop does not keep the host busy with it.
        if (!this.has(READABLE)) return new Uint8Array();
        const request = { channel: this.#number, maxBytes };
        return withIoError(owner, () => this.#net.request('net.read', request)) ?? undefined;
      },
      dispose: () => this.release(),
    };
  }

  /** What goes out. */
  output(owner: CodeOwner): OutputSink {
    let isFlushing = false;
    return {
      isReady: () => this.has(WRITE_ENDED | (isFlushing ? FLUSHED : WRITABLE)),
      permit: () => {
        if (this.has(WRITE_ENDED)) {
          if (!this.isClosed) withIoError(owner, () => this.#net.request('net.write-end', this.#number));
          return undefined;
        }
        if (isFlushing && !this.has(FLUSHED)) return 0;
        isFlushing = false;
        return this.has(WRITABLE) ? FLOW_BYTES : 0;
      },
      write: (bytes) => withIoError(owner, () => this.write(bytes)),
      flush() {
        isFlushing = true;
      },
    };
  }
}

function withIoError<T>(owner: CodeOwner, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof LinkRefusal) || error.payload === undefined) throw error;
    throw new IoError(error.message, { [owner]: error.payload });
  }
}

/** Copies of at most FLOW_BYTES each: posting a view would copy the whole buffer under it. */
function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += FLOW_BYTES) yield bytes.slice(at, at + FLOW_BYTES);
}
