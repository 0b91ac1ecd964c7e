import type { IoScope } from './io-scope.ts';
import { Pollable, type Waitable } from './pollable.ts';
import { byteCount, CLOSED, streamErrorOf } from './stream-error.ts';

/** The most that one read gives, whatever the guest asks for: this much is copied into it at once. */
const MAX_READ_BYTES = 256 * 1024;

/** Where an input stream's bytes come from. */
export interface InputSource extends Waitable {
  /**
   * Up to `maxBytes` (at least 1), without waiting: empty when there are none right now, undefined at the end.
   * @throws IoError when reading failed; the stream is closed then.
   */
  read(maxBytes: number): Uint8Array | undefined;
  /** The guest dropped the stream. Called once. */
  dispose?(): void;
}

/** The resource `input-stream` of wasi:io. Errors are thrown as `StreamError` values. */
export class InputStream {
  readonly #scope: IoScope;
  readonly #source: InputSource;
  #isClosed = false;
  #isDropped = false;

  constructor(scope: IoScope, source: InputSource) {
    scope.handles.add();
    this.#scope = scope;
    this.#source = source;
  }

  read(length: bigint): Uint8Array {
    if (this.#isClosed) throw CLOSED;
    if (length === 0n) return new Uint8Array();
    const bytes = this.#readSource(byteCount(length, MAX_READ_BYTES));
    if (bytes !== undefined) return bytes;
    this.#isClosed = true;
    throw CLOSED;
  }

  blockingRead(length: bigint): Uint8Array {
    for (;;) {
      this.#waitUnlessClosed(length);
      const bytes = this.read(length);
      // A source may be ready for something that gives no byte, as the end of one of its parts.
      if (bytes.length > 0 || length === 0n) return bytes;
    }
  }

  skip(length: bigint): bigint {
    return BigInt(this.read(length).length);
  }

  blockingSkip(length: bigint): bigint {
    return BigInt(this.blockingRead(length).length);
  }

  subscribe(): Pollable {
    return new Pollable(this.#scope, {
      isReady: () => this.#isClosed || this.#source.isReady(),
      msUntilReady: () => this.#source.msUntilReady?.() ?? Number.POSITIVE_INFINITY,
    });
  }

  [Symbol.dispose](): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#isClosed = true;
    this.#scope.handles.remove();
    this.#source.dispose?.();
  }

  #readSource(maxBytes: number): Uint8Array | undefined {
    try {
      return this.#source.read(maxBytes);
    } catch (error) {
      this.#isClosed = true;
      throw streamErrorOf(error);
    }
  }

  #waitUnlessClosed(length: bigint): void {
    if (this.#isClosed || length === 0n) return;
    this.#scope.wake.waitUntil(() => this.#source.isReady(), this.#source.msUntilReady?.());
  }
}
