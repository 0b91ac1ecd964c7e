import type { ByteReader } from './byte-reader.ts';
import type { ComponentItem } from './component-types.ts';
import type { IndexSpaces } from './index-spaces.ts';
import { readResultList } from './read-types.ts';

/** What follows the code of a built-in: an index, a byte, options, a result. */
type Operand = 'index' | 'byte' | 'options' | 'result';

const INDEX: readonly Operand[] = ['index'];
const BYTE: readonly Operand[] = ['byte'];
const COPY: readonly Operand[] = ['index', 'options'];
const CANCEL: readonly Operand[] = ['index', 'byte'];
const WAIT: readonly Operand[] = ['byte', 'index'];
const CONTEXT: readonly Operand[] = ['byte', 'index'];

/** The canonical built-ins that make core functions (Component Model, binary format, canonical definitions). */
const BUILT_INS: ReadonlyMap<number, readonly Operand[]> = new Map<number, readonly Operand[]>([
  ...[0x02, 0x03, 0x04, 0x07, 0x0e, 0x13, 0x14, 0x15, 0x1a, 0x1b].map((code) => [code, INDEX] as const),
  ...[0x05, 0x08, 0x0d, 0x1e, 0x1f, 0x22, 0x23, 0x24, 0x25].map((code) => [code, []] as const),
  ...[0x06, 0x0c].map((code) => [code, BYTE] as const),
  ...[0x0f, 0x10, 0x16, 0x17].map((code) => [code, COPY] as const),
  ...[0x11, 0x12, 0x18, 0x19].map((code) => [code, CANCEL] as const),
  ...[0x0a, 0x0b].map((code) => [code, CONTEXT] as const),
  ...[0x20, 0x21].map((code) => [code, WAIT] as const),
  ...[0x1c, 0x1d].map((code) => [code, ['options']] as const),
  [0x09, ['result', 'options']],
]);

/** One canonical definition: a lifted function, else something of core WebAssembly. */
export function readCanonical(reader: ByteReader, spaces: IndexSpaces): ComponentItem {
  const code = reader.byte();
  if (code === 0x00) {
    reader.byte();
    reader.u32();
    readOptions(reader);
    return { sort: 'function', type: spaces.functionType(reader.u32()) };
  }
  if (code === 0x01) {
    reader.byte();
    reader.u32();
    readOptions(reader);
    return { sort: 'other' };
  }
  const operands = BUILT_INS.get(code);
  if (operands === undefined) throw reader.unexpected('a canonical function');
  for (const operand of operands) skip(operand, reader, spaces);
  return { sort: 'other' };
}

function skip(operand: Operand, reader: ByteReader, spaces: IndexSpaces): void {
  if (operand === 'index') reader.u32();
  else if (operand === 'byte') reader.byte();
  else if (operand === 'options') readOptions(reader);
  else readResultList(reader, spaces);
}

function readOptions(reader: ByteReader): void {
  reader.list(() => {
    const option = reader.byte();
    // Memory, realloc, post-return, callback and a core type are named by an index.
    if ([0x03, 0x04, 0x05, 0x07, 0x08].includes(option)) reader.u32();
    else if (option > 0x09) throw reader.unexpected('an option of a canonical function');
  });
}
