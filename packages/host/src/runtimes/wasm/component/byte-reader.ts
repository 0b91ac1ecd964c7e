/** A component whose bytes cannot be read; `message` says where. */
export class MalformedComponent extends Error {
  override readonly name = 'MalformedComponent';
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** A number of entries that no real component comes near; each takes at least a byte, so a lie is found at once too. */
const MAX_ENTRIES = 1_000_000;

/** Reads the encoding that WebAssembly's binary formats share. Every read is checked against the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  byte(): number {
    const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
    if (byte === undefined) throw new MalformedComponent(`it ends in the middle, at byte ${this.#at}`);
    this.#at += 1;
    return byte;
  }

  peek(): number {
    const byte = this.byte();
    this.#at -= 1;
    return byte;
  }

  /** Unsigned LEB128 of 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 && value < 2 ** 32) return value;
    }
    throw this.unexpected('a number');
  }

  /** The bytes of the next `length`, not copied. */
  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** A reader of the next `length` bytes alone. */
  part(length: number): ByteReader {
    const start = this.#advance(length);
    return new ByteReader(this.#bytes, start, start + length);
  }

  rest(): Uint8Array {
    return this.bytes(this.#end - this.#at);
  }

  text(): string {
    try {
      return utf8.decode(this.bytes(this.u32()));
    } catch (error) {
      if (error instanceof MalformedComponent) throw error;
      throw this.unexpected('a name');
    }
  }

  list<T>(read: () => T): T[] {
    const count = this.u32();
    if (count > MAX_ENTRIES || count > this.#end - this.#at) throw this.unexpected(`a list of ${count}`);
    return Array.from({ length: count }, read);
  }

  /** What stands behind a byte that says whether there is something. */
  optional<T>(read: () => T): T | undefined {
    const flag = this.byte();
    if (flag > 1) throw this.unexpected('an optional part');
    return flag === 0 ? undefined : read();
  }

  unexpected(what: string): MalformedComponent {
    return new MalformedComponent(`${what} at byte ${this.#at} is of a kind that this version of Toolpost cannot read`);
  }

  #advance(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new MalformedComponent(`it ends in the middle, at byte ${this.#end}`);
    this.#at += length;
    return start;
  }
}
