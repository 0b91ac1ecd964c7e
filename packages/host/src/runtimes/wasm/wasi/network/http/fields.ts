import { isForbiddenHeader } from '../../../network/forbidden-headers.ts';
import type { HeaderEntries } from '../../../network/net-messages.ts';
import type { ByteBudget } from './byte-budget.ts';

/** `header-error` of wasi:http in jco's form. */
const INVALID = { tag: 'invalid-syntax' } as const;
const FORBIDDEN = { tag: 'forbidden' } as const;
const IMMUTABLE = { tag: 'immutable' } as const;

const NAME = /^[!#$%&'*+\-.^_`|~\da-zA-Z]+$/;
/** What one entry takes beside its text, and the whole beside its entries. */
const ENTRY_BYTES = 64;

/** The resource `fields` of wasi:http. Errors are thrown as `header-error` values. */
export class Fields {
  readonly #budget: ByteBudget;
  #entries: (readonly [name: string, value: Uint8Array])[] = [];
  #heldBytes = 0;
  #isLocked = false;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
    this.#hold(ENTRY_BYTES);
  }

  get(name: string): Uint8Array[] {
    return this.#of(name).map(([, value]) => value.slice());
  }

  has(name: string): boolean {
    return this.#of(name).length > 0;
  }

  set(name: string, values: readonly Uint8Array[]): void {
    this.#checkChange(name, values);
    this.delete(name);
    for (const value of values) this.#add(name, value);
  }

  delete(name: string): void {
    if (this.#isLocked) throw IMMUTABLE;
    if (!NAME.test(name)) throw INVALID;
    const removed = new Set(this.#of(name));
    for (const [own, value] of removed) this.#hold(-bytesOf(own, value));
    this.#entries = this.#entries.filter((entry) => !removed.has(entry));
  }

  append(name: string, value: Uint8Array): void {
    this.#checkChange(name, [value]);
    this.#add(name, value);
  }

  entries(): [name: string, value: Uint8Array][] {
    return this.#entries.map(([name, value]) => [name, value.slice()]);
  }

  /** The entries as a message takes them. */
  toEntries(): HeaderEntries {
    return this.#entries;
  }

  /** Takes entries as they came from a server, which no rule for guests applies to. */
  fill(entries: HeaderEntries): this {
    for (const [name, value] of entries) this.#add(name, value);
    return this;
  }

  /** No change is taken after this. */
  lock(): this {
    this.#isLocked = true;
    return this;
  }

  [Symbol.dispose](): void {
    this.#entries = [];
    this.#hold(-this.#heldBytes);
  }

  #of(name: string): HeaderEntries {
    const key = name.toLowerCase();
    return this.#entries.filter(([other]) => other.toLowerCase() === key);
  }

  #checkChange(name: string, values: readonly Uint8Array[]): void {
    if (this.#isLocked) throw IMMUTABLE;
    if (!NAME.test(name) || !values.every(isValue)) throw INVALID;
    if (isForbiddenHeader(name)) throw FORBIDDEN;
  }

  #add(name: string, value: Uint8Array): void {
    this.#hold(bytesOf(name, value));
    this.#entries.push([name, value.slice()]);
  }

  #hold(bytes: number): void {
    if (bytes > 0) this.#budget.take(bytes);
    else this.#budget.give(-bytes);
    this.#heldBytes += bytes;
  }
}

/** What the entries take in the head of a message. */
export function sectionBytes(entries: HeaderEntries): number {
  return entries.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

function bytesOf(name: string, value: Uint8Array): number {
  return name.length + value.length + ENTRY_BYTES;
}

/** Tabs and everything from space on except DEL: no byte that ends a line. */
function isValue(value: Uint8Array): boolean {
  return value.every((byte) => byte === 9 || (byte >= 32 && byte !== 127));
}
