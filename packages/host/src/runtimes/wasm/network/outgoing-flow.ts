import type { Writable } from 'node:stream';
import type { ChannelFlags } from './channel-table.ts';
import { FLUSHED, WRITABLE, WRITE_ENDED } from './net-messages.ts';
import { FLOW_BYTES } from './network-limits.ts';

export interface OutgoingFlowOptions {
  readonly stream: Writable;
  readonly flags: ChannelFlags;
  /** The error that a guest gets for the stream's. */
  readonly errorOf: (error: Error) => Error;
}

/** What a guest writes to a stream. No more than FLOW_BYTES and one write wait here for the peer. */
export class OutgoingFlow {
  readonly #options: OutgoingFlowOptions;
  #failure: Error | undefined;
  #isEnded = false;

  constructor(options: OutgoingFlowOptions) {
    this.#options = options;
    const { stream, errorOf } = options;
    stream.once('error', (error) => this.#end(errorOf(error)));
    stream.once('close', () => this.#end(undefined));
    this.#look();
  }

  write(bytes: Uint8Array): void {
    if (this.#isEnded) return;
    this.#options.stream.write(bytes, () => this.#look());
    this.#look();
  }

  finish(): void {
    if (this.#isEnded) return;
    this.#options.stream.end();
    this.#end(undefined);
  }

  /** Fails what is not yet written. */
  fail(error: Error): void {
    this.#end(error);
  }

  /** @throws why nothing can be written, unless it was just closed. */
  explainEnd(): void {
    if (this.#failure) throw this.#failure;
  }

  #look(): void {
    const { stream, flags } = this.#options;
    const waiting = this.#isEnded ? 0 : stream.writableLength;
    if (waiting < FLOW_BYTES) flags.raise(WRITABLE);
    else flags.clear(WRITABLE);
    if (waiting === 0) flags.raise(FLUSHED);
    else flags.clear(FLUSHED);
  }

  #end(failure: Error | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#options.flags.raise(WRITE_ENDED);
    this.#look();
  }
}
