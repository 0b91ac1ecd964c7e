import type { Readable } from 'node:stream';
import type { ChannelFlags } from './channel-table.ts';
import { READABLE } from './net-messages.ts';

export interface IncomingFlowOptions {
  readonly stream: Readable;
  readonly flags: ChannelFlags;
  /** The error that a guest gets for the stream's; `undefined` is one that closed before its end. */
  readonly errorOf: (error: Error | undefined) => Error;
  /** The most that may come, read or drained; more than that fails. */
  readonly limit?: { readonly maxBytes: number; readonly error: () => Error };
  /** Told whenever the guest has everything that is there, and when more has come. */
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** Told once, when nothing more comes, with why when it was cut short. */
  readonly onDone?: (failure: Error | undefined) => void;
}

/**
 * What comes in from a stream, taken by the guest piece by piece. The stream is never set flowing: what the guest does
 * not read stays in its buffer, which is bounded, and from there the sender is held back.
 */
export class IncomingFlow {
  readonly #options: IncomingFlowOptions;
  #failure: Error | undefined;
  #isEnded = false;
  #isDraining = false;
  #takenBytes = 0;

  constructor(options: IncomingFlowOptions) {
    this.#options = options;
    const { stream, errorOf } = options;
    stream.on('readable', () => this.#look());
    stream.once('end', () => this.#end(undefined));
    stream.once('error', (error) => this.#end(errorOf(error)));
    stream.once('close', () => this.#end(errorOf(undefined)));
    this.#look();
  }

  /** Up to `maxBytes`, none when nothing is there yet, null at the end. @throws the error that `errorOf` gave. */
  read(maxBytes: number): Uint8Array | null {
    const bytes = this.#take(maxBytes);
    this.#look();
    // Copied: posting a view would copy the whole buffer under it.
    if (bytes) return new Uint8Array(bytes);
    if (this.#failure) throw this.#failure;
    return this.#isEnded ? null : new Uint8Array();
  }

  /** Reads the rest to nowhere. */
  drain(): void {
    this.#isDraining = true;
    this.#look();
  }

  /** Fails what is not yet read. */
  fail(error: Error): void {
    this.#end(error);
  }

  #take(maxBytes: number): Uint8Array | undefined {
    const { stream, limit } = this.#options;
    if (stream.readableLength === 0 || this.#failure) return undefined;
    const bytes: unknown = stream.read(Math.min(maxBytes, stream.readableLength));
    if (!(bytes instanceof Uint8Array)) return undefined;
    this.#takenBytes += bytes.length;
    if (!limit || this.#takenBytes <= limit.maxBytes) return bytes;
    this.#end(limit.error());
    return undefined;
  }

  #look(): void {
    const { stream, flags, onWaiting } = this.#options;
    while (this.#isDraining && this.#take(Number.POSITIVE_INFINITY));
    const isThere = stream.readableLength > 0 || this.#isEnded;
    if (isThere) flags.raise(READABLE);
    else {
      flags.clear(READABLE);
      // An empty stream tells of its end only when it is asked for more.
      stream.read(0);
    }
    onWaiting?.(!isThere);
  }

  #end(failure: Error | undefined): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#failure = failure;
    this.#look();
    this.#options.onDone?.(failure);
  }
}
