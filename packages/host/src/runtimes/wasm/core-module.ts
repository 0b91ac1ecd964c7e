import { ByteReader, MalformedComponent } from './component/byte-reader.ts';

/** Ids of the sections of a core module that hold limits. */
export const SECTION = { import: 2, table: 4, memory: 5 } as const;
/** `\0asm` and version 1. */
export const MAGIC_BYTES = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

export interface Section {
  readonly id: number;
  readonly payload: Uint8Array;
}

/** @throws MalformedComponent when it is no core module. */
export function splitSections(bytes: Uint8Array): Section[] {
  if (!MAGIC_BYTES.every((byte, index) => byte === bytes[index]))
    throw new MalformedComponent('one of its modules is no WebAssembly module');
  const reader = new ByteReader(bytes, MAGIC_BYTES.length);
  const sections: Section[] = [];
  while (!reader.isAtEnd) sections.push({ id: reader.byte(), payload: reader.bytes(reader.u32()) });
  return sections;
}

/** Unsigned LEB128. */
export function encodeU32(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 0x80;
    rest = Math.floor(rest / 0x80);
    bytes.push(rest > 0 ? low + 0x80 : low);
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
