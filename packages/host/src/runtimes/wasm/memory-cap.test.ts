import { describe, expect, test } from 'vitest';
import { concatBytes, encodeU32, MAGIC_BYTES } from './core-module.ts';
import { capModules, type ModuleCaps } from './memory-cap.ts';

const CAPS: ModuleCaps = { memoryPages: 100, tableElements: 1000 };
const FUNCREF = 0x70;
const EXTERNREF = 0x6f;

type Limits = readonly [flags: number, ...numbers: number[]];

function section(id: number, ...entries: readonly (readonly number[])[]): Uint8Array {
  const body = concatBytes([encodeU32(entries.length), ...entries.map((entry) => Uint8Array.from(entry))]);
  return concatBytes([Uint8Array.of(id), encodeU32(body.length), body]);
}

const numbers = ([flags, ...values]: Limits): number[] => [flags, ...values.flatMap((value) => [...encodeU32(value)])];
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
const memory = (limits: Limits): number[] => numbers(limits);
const table = (type: number, limits: Limits): number[] => [type, ...numbers(limits)];
const exported = (text: string, kind: number, index = 0): number[] => [...name(text), kind, index];
const module = (...sections: Uint8Array[]): Uint8Array<ArrayBuffer> => concatBytes([MAGIC_BYTES, ...sections]);

function cap(bytes: Uint8Array<ArrayBuffer>, caps: ModuleCaps = CAPS) {
  const capped = capModules(new Map([['m', bytes]]), caps).get('m');
  if (!capped) throw new Error('no module');
  return capped;
}

/** An instance of the capped module. */
function instantiate(bytes: Uint8Array<ArrayBuffer>, imports: WebAssembly.Imports = {}): Record<string, unknown> {
  return new WebAssembly.Instance(new WebAssembly.Module(cap(bytes).bytes), imports).exports;
}

/** How far a memory or table grows one by one, up to `limit`. */
function growth(grows: unknown, limit = 2000): number {
  if (!(grows instanceof WebAssembly.Memory || grows instanceof WebAssembly.Table))
    throw new Error('nothing that grows');
  for (let count = 0; count < limit; count++) {
    try {
      grows.grow(1);
    } catch {
      return count;
    }
  }
  return limit;
}

describe('a memory of its own', () => {
  test.each([
    ['without a maximum', [0, 1], 99],
    ['with one above the cap', [1, 1, 60_000], 99],
    ['with one below the cap', [1, 1, 3], 2],
    ['that begins at the cap', [0, 100], 0],
  ] satisfies [string, Limits, number][])('%s grows up to the cap', (_title, limits, pages) => {
    const { m } = instantiate(module(section(5, memory(limits)), section(7, exported('m', 2))));
    expect(growth(m)).toBe(pages);
  });

  test('that begins above the cap is refused in words', () => {
    expect(() => cap(module(section(5, memory([0, 1600]))))).toThrow(
      'it needs 100 MiB of memory to start, and may have 6.25 MiB',
    );
  });

  test.each([
    ['shared', [3, 1, 2]],
    ['of 64 bits', [4, 1]],
    ['with pages of another size', [8, 1, 0]],
  ] satisfies [string, Limits][])('%s is refused', (_title, limits) => {
    expect(() => cap(module(section(5, memory(limits))))).toThrow('is shared, of 64 bits or of odd pages');
  });
});

test('several memories of one module stay within the cap together', () => {
  const bytes = module(
    section(5, memory([0, 10]), memory([0, 20])),
    section(7, exported('a', 2, 0), exported('b', 2, 1)),
  );
  const { a, b } = instantiate(bytes);
  expect(growth(a) + growth(b)).toBe(70);
});

test('memories of several modules stay within the cap together', () => {
  const one = module(section(5, memory([0, 10])));
  const capped = capModules(new Map(['a', 'b', 'c'].map((key) => [key, one])), CAPS);
  const pages = [...capped.values()].map(({ memoryPages }) => memoryPages);
  expect(pages).toEqual([33, 33, 33]);
});

test('a memory that another lends is refused by the engine when it has no bound within the cap', () => {
  const bytes = module(section(2, [...name('env'), ...name('m'), 2, ...memory([0, 1])]));
  const lend = (maximum?: number) => () => {
    const lent = new WebAssembly.Memory({ initial: 1, ...(maximum !== undefined && { maximum }) });
    return instantiate(bytes, { env: { m: lent } });
  };
  expect(lend(100)).not.toThrow();
  expect(lend(101)).toThrow(/maximum/);
  expect(lend()).toThrow(/maximum/);
});

test.each([FUNCREF, EXTERNREF])('a table of references (%i) grows up to the cap', (type) => {
  const { t } = instantiate(module(section(4, table(type, [0, 10])), section(7, exported('t', 1))));
  expect(growth(t)).toBe(990);
});

test('tables that begin above the cap, or with a value, are refused', () => {
  expect(() => cap(module(section(4, table(FUNCREF, [0, 1001]))))).toThrow('its tables have 1001 elements');
  const withValue = [0x40, 0x00, ...table(FUNCREF, [0, 1]), 0xd0, FUNCREF, 0x0b];
  expect(() => cap(module(section(4, withValue)))).toThrow('a table with an initial value');
});

test('imports of every kind and all other sections stay as they are', () => {
  const types = section(1, [0x60, 0, 0]);
  const imports = section(
    2,
    [...name('e'), ...name('f'), 0, 0],
    [...name('e'), ...name('t'), 1, ...table(FUNCREF, [1, 1, 2])],
    [...name('e'), ...name('m'), 2, ...memory([1, 1, 2])],
    [...name('e'), ...name('g'), 3, 0x7f, 1],
    [...name('e'), ...name('h'), 4, 0, 0],
  );
  const custom = concatBytes([Uint8Array.of(0, 4), Uint8Array.from(name('abc'))]);
  const bytes = module(types, imports, custom);
  expect([...cap(bytes).bytes]).toEqual([...bytes]);
});

test('what is no core module, or a cut one, is refused', () => {
  expect(() => cap(Uint8Array.from([1, 2, 3]))).toThrow('no WebAssembly module');
  const whole = module(section(5, memory([0, 1])));
  for (let end = MAGIC_BYTES.length + 1; end < whole.length; end++) {
    expect(() => cap(whole.slice(0, end))).toThrow('ends in the middle');
  }
});
