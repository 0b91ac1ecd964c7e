import type { InputStream } from './input-stream.ts';
import type { IoScope } from './io-scope.ts';
import { Pollable, type Waitable } from './pollable.ts';
import { byteCount, CLOSED, streamErrorOf } from './stream-error.ts';

/** The most that `blocking-write-and-flush` and its like take, by the spec; more is a trap, as in wasmtime. */
const MAX_BLOCKING_WRITE_BYTES = 4096;

/** Where an output stream's bytes go. It is ready when `permit` would give a number above 0, or undefined, or throw. */
export interface OutputSink extends Waitable {
  /**
   * How many bytes `write` takes right now, without waiting; 0 while it is full or being flushed, undefined when closed.
   * @throws IoError when an earlier write failed.
   */
  permit(): number | undefined;
  /** Takes all of `bytes`, at most the permitted number, and keeps no reference to them. @throws IoError */
  write(bytes: Uint8Array): void;
  /** Starts to flush, without waiting; absent where a write needs none. @throws IoError */
  flush?(): void;
  /** The guest dropped the stream. Called once. */
  dispose?(): void;
}

/** The resource `output-stream` of wasi:io. Errors are thrown as `StreamError` values. */
export class OutputStream {
  readonly #scope: IoScope;
  readonly #sink: OutputSink;
  #permitted = 0;
  #isClosed = false;
  #isDropped = false;

  constructor(scope: IoScope, sink: OutputSink) {
    scope.handles.add();
    this.#scope = scope;
    this.#sink = sink;
  }

  checkWrite(): bigint {
    this.#permitted = this.#permit();
    return BigInt(this.#permitted);
  }

  write(bytes: Uint8Array): void {
    if (this.#isClosed) throw CLOSED;
    if (bytes.length > this.#permitted)
      throw new Error(`the plugin wrote ${bytes.length} bytes where check-write permitted ${this.#permitted}`);
    this.#permitted -= bytes.length;
    if (bytes.length > 0) this.#try(() => this.#sink.write(bytes));
  }

  writeZeroes(length: bigint): void {
    if (length > BigInt(this.#permitted))
      throw new Error(`the plugin wrote ${length} zeroes where check-write permitted ${this.#permitted}`);
    this.write(new Uint8Array(Number(length)));
  }

  flush(): void {
    if (this.#isClosed) throw CLOSED;
    this.#permitted = 0;
    this.#try(() => this.#sink.flush?.());
  }

  blockingFlush(): void {
    this.flush();
    this.#waitForPermit();
  }

  blockingWriteAndFlush(bytes: Uint8Array): void {
    if (bytes.length > MAX_BLOCKING_WRITE_BYTES)
      throw new Error(`blocking-write-and-flush takes at most ${MAX_BLOCKING_WRITE_BYTES} bytes, not ${bytes.length}`);
    let rest = bytes;
    while (rest.length > 0) {
      const size = Math.min(this.#waitForPermit(), rest.length);
      this.write(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    this.blockingFlush();
  }

  blockingWriteZeroesAndFlush(length: bigint): void {
    this.blockingWriteAndFlush(new Uint8Array(byteCount(length, MAX_BLOCKING_WRITE_BYTES + 1)));
  }

  splice(source: InputStream, length: bigint): bigint {
    const permitted = this.checkWrite();
    const bytes = source.read(length < permitted ? length : permitted);
    this.write(bytes);
    return BigInt(bytes.length);
  }

  blockingSplice(source: InputStream, length: bigint): bigint {
    const permitted = BigInt(this.#waitForPermit());
    const bytes = source.blockingRead(length < permitted ? length : permitted);
    this.write(bytes);
    return BigInt(bytes.length);
  }

  subscribe(): Pollable {
    return new Pollable(this.#scope, {
      isReady: () => this.#isClosed || this.#sink.isReady(),
      msUntilReady: () => this.#sink.msUntilReady?.() ?? Number.POSITIVE_INFINITY,
    });
  }

  [Symbol.dispose](): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#isClosed = true;
    this.#scope.handles.remove();
    this.#sink.dispose?.();
  }

  /** Blocks until at least one byte may be written, and takes the permit. */
  #waitForPermit(): number {
    for (;;) {
      const permitted = Number(this.checkWrite());
      if (permitted > 0) return permitted;
      this.#scope.wake.waitUntil(() => this.#sink.isReady(), this.#sink.msUntilReady?.());
    }
  }

  #permit(): number {
    if (this.#isClosed) throw CLOSED;
    const permitted = this.#try(() => this.#sink.permit());
    if (permitted !== undefined) return permitted;
    this.#isClosed = true;
    throw CLOSED;
  }

  #try<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      this.#isClosed = true;
      throw streamErrorOf(error);
    }
  }
}
