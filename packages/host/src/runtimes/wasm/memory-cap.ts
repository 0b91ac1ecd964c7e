import { ByteReader } from './component/byte-reader.ts';
import { concatBytes, encodeU32, MAGIC_BYTES, SECTION, splitSections } from './core-module.ts';

/** How much of each one instance of a component may have, over all of its core modules. */
export interface ModuleCaps {
  /** Pages of 64 KiB. */
  readonly memoryPages: number;
  readonly tableElements: number;
}

/** A core module that cannot grow past its share, with the most that its own memories and tables can become. */
export interface CappedModule extends ModuleCaps {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A component that needs more than it may have, or something that cannot be bounded. */
export class UnboundableModule extends Error {
  override readonly name = 'UnboundableModule';
}

/** Limits of a memory or table. */
interface Limits {
  readonly min: number;
  readonly max?: number | undefined;
}

type Unit = 'memory' | 'table';
type Bound = (limits: Limits, unit: Unit) => Limits;

export const MIB_IN_PAGES = 16;

/**
 * Rewrites core modules so that all of their memories and tables together stay within `caps`: neither V8's heap limits nor
 * anything else bounds what a guest grows. Growing past the maximum fails in the guest, as on any machine without memory.
 * @throws UnboundableModule that says what is too large, MalformedComponent for bytes that are no core module.
 */
export function capModules(
  modules: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  caps: ModuleCaps,
): Map<string, CappedModule> {
  const declared: Record<Unit, Limits[]> = { memory: [], table: [] };
  for (const bytes of modules.values()) mapLimits(bytes, { own: (limits, unit) => noted(declared[unit], limits) });
  const room: Record<Unit, number> = {
    memory: roomOf(declared.memory, caps.memoryPages, tooMuchMemory),
    table: roomOf(declared.table, caps.tableElements, tooManyElements),
  };
  return new Map([...modules].map(([name, bytes]) => [name, capModule(bytes, caps, room)]));
}

function capModule(bytes: Uint8Array, caps: ModuleCaps, room: Record<Unit, number>): CappedModule {
  const taken: Record<Unit, number> = { memory: 0, table: 0 };
  const capped = mapLimits(bytes, {
    own({ min, max = Number.POSITIVE_INFINITY }, unit) {
      const limits = { min, max: Math.min(max, min + room[unit]) };
      taken[unit] += limits.max;
      return limits;
    },
    // What another module lends: one without a bound does not fit, whoever made it.
    imported({ min, max = Number.POSITIVE_INFINITY }, unit) {
      return { min, max: Math.min(max, unit === 'memory' ? caps.memoryPages : caps.tableElements) };
    },
  });
  return { bytes: capped, memoryPages: taken.memory, tableElements: taken.table };
}

function noted(list: Limits[], limits: Limits): Limits {
  list.push(limits);
  return limits;
}

/** How far each may grow beyond its start: an equal part of what is left. */
function roomOf(declared: readonly Limits[], most: number, refusal: (needed: number, most: number) => string): number {
  const needed = declared.reduce((sum, { min }) => sum + min, 0);
  if (needed > most) throw new UnboundableModule(refusal(needed, most));
  return Math.floor((most - needed) / Math.max(1, declared.length));
}

function tooMuchMemory(needed: number, most: number): string {
  return `it needs ${Math.ceil(needed / MIB_IN_PAGES)} MiB of memory to start, and may have ${most / MIB_IN_PAGES} MiB`;
}

function tooManyElements(needed: number, most: number): string {
  return `its tables have ${needed} elements at the start, and may have ${most}`;
}

interface LimitMappers {
  readonly own: Bound;
  readonly imported?: Bound;
}

/** The module with each of its limits replaced. */
function mapLimits(bytes: Uint8Array, { own, imported = (limits) => limits }: LimitMappers): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [MAGIC_BYTES];
  for (const { id, payload } of splitSections(bytes)) {
    const reader = new ByteReader(payload);
    const changed =
      id === SECTION.import
        ? reader.list(() => mapImport(reader, imported))
        : id === SECTION.table
          ? reader.list(() => mapTable(reader, own))
          : id === SECTION.memory
            ? reader.list(() => mapMemory(reader, own))
            : undefined;
    const body = changed ? concatBytes([encodeU32(changed.length), ...changed]) : payload;
    parts.push(Uint8Array.of(id), encodeU32(body.length), body);
  }
  return concatBytes(parts);
}

function mapImport(reader: ByteReader, bound: Bound): Uint8Array {
  const names = [copyName(reader), copyName(reader)];
  const kind = reader.byte();
  const rest = (): Uint8Array[] => {
    if (kind === 0) return [encodeU32(reader.u32())];
    if (kind === 1) return [mapTable(reader, bound)];
    if (kind === 2) return [mapMemory(reader, bound)];
    if (kind === 3) return [...copyValueType(reader), Uint8Array.of(reader.byte())];
    if (kind === 4) return [Uint8Array.of(reader.byte()), encodeU32(reader.u32())];
    throw reader.unexpected('an import');
  };
  return concatBytes([...names, Uint8Array.of(kind), ...rest()]);
}

function copyName(reader: ByteReader): Uint8Array {
  const name = Buffer.from(reader.text());
  return concatBytes([encodeU32(name.length), name]);
}

function mapTable(reader: ByteReader, bound: Bound): Uint8Array {
  // 0x40: a table whose elements begin with the value of an expression.
  if (reader.peek() === 0x40) throw new UnboundableModule('it has a table with an initial value');
  return concatBytes([...copyValueType(reader), ...mapBounds(reader, 'table', bound)]);
}

function mapMemory(reader: ByteReader, bound: Bound): Uint8Array {
  return concatBytes(mapBounds(reader, 'memory', bound));
}

/** References to a type (0x63, 0x64) are followed by that type. */
function copyValueType(reader: ByteReader): Uint8Array[] {
  const type = reader.byte();
  const bytes = [type];
  if (type === 0x63 || type === 0x64) {
    let byte = 0;
    do {
      byte = reader.byte();
      bytes.push(byte);
    } while (byte >= 0x80);
  }
  return [Uint8Array.from(bytes)];
}

function mapBounds(reader: ByteReader, unit: Unit, bound: Bound): Uint8Array[] {
  const flags = reader.byte();
  // Shared, 64-bit, or with pages of another size.
  if (flags > 1) throw new UnboundableModule(`it has a ${unit} that is shared, of 64 bits or of odd pages`);
  const min = reader.u32();
  const { max } = bound({ min, max: flags === 1 ? reader.u32() : undefined }, unit);
  if (max === undefined) return [Uint8Array.of(0), encodeU32(min)];
  if (max < min) throw new UnboundableModule(`it needs a ${unit} of ${min}, and may have ${max}`);
  return [Uint8Array.of(1), encodeU32(min), encodeU32(max)];
}
