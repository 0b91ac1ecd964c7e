import { ByteReader, MalformedComponent } from './byte-reader.ts';
import type { ComponentItem, Items } from './component-types.ts';
import { IndexSpaces } from './index-spaces.ts';
import { readCanonical } from './read-canonical.ts';
import { readAlias, readDefinedType, readExternName, readExternType, readSort } from './read-types.ts';

/** What a component needs and offers, as its binary says it. */
export interface ComponentOutline {
  readonly imports: Items;
  readonly exports: Items;
  /** Its custom sections that documentation may stand in, by name. */
  readonly customSections: ReadonlyMap<string, Uint8Array>;
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
/** The version word of core modules is 1, of components 0x0d in layer 1. */
const COMPONENT_VERSION = [0x0d, 0x00, 0x01, 0x00];
/** Components within components; tool chains write two or three. */
const MAX_DEPTH = 16;

/**
 * Reads the outside of a WebAssembly component; the code in its core modules is passed over.
 * @throws MalformedComponent for what is none, with the remedy where there is one.
 */
export function readComponent(bytes: Uint8Array): ComponentOutline {
  const reader = new ByteReader(bytes);
  if (bytes.length < 8 || !startsWith(reader.bytes(4), MAGIC)) {
    throw new MalformedComponent('it is no WebAssembly: it does not begin with \\0asm');
  }
  if (!startsWith(reader.bytes(4), COMPONENT_VERSION)) {
    throw new MalformedComponent(
      'it is a core WebAssembly module, not a component: make one with wasm-tools component new',
    );
  }
  return readSections(reader, undefined, 0);
}

function startsWith(bytes: Uint8Array, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[index] === byte);
}

function readSections(reader: ByteReader, parent: IndexSpaces | undefined, depth: number): ComponentOutline {
  if (depth > MAX_DEPTH) throw new MalformedComponent(`it has components nested more than ${MAX_DEPTH} deep`);
  const spaces = new IndexSpaces(parent);
  const imports = new Map<string, ComponentItem>();
  const exports = new Map<string, ComponentItem>();
  const customSections = new Map<string, Uint8Array>();
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const section = reader.part(reader.u32());
    if (id === 0) customSections.set(section.text(), section.rest());
    else if (id === 4) spaces.add(readNested(section, spaces, depth));
    else if (id === 5) section.list(() => spaces.add(readInstance(section, spaces)));
    else if (id === 6) section.list(() => spaces.add(readAlias(section, spaces)));
    else if (id === 7) section.list(() => spaces.add({ sort: 'type', type: readDefinedType(section, spaces) }));
    else if (id === 8) section.list(() => spaces.add(readCanonical(section, spaces)));
    else if (id === 10) section.list(() => readImport(section, spaces, imports));
    else if (id === 11) section.list(() => readExport(section, spaces, exports));
  }
  return { imports, exports, customSections };
}

function readNested(section: ByteReader, spaces: IndexSpaces, depth: number): ComponentItem {
  section.bytes(8);
  return { sort: 'component', items: readSections(section, spaces, depth + 1).exports };
}

/** Made of a component, or of things that are there already. */
function readInstance(reader: ByteReader, spaces: IndexSpaces): ComponentItem {
  if (reader.byte() === 0x00) {
    const items = spaces.itemsOf('component', reader.u32());
    reader.list(() => {
      reader.text();
      readSort(reader);
      reader.u32();
    });
    return { sort: 'instance', items };
  }
  const items = reader.list(() => {
    const name = readExternName(reader);
    const sort = readSort(reader);
    return [name, spaces.item(sort, reader.u32())] as const;
  });
  return { sort: 'instance', items: new Map(items) };
}

function readImport(reader: ByteReader, spaces: IndexSpaces, imports: Map<string, ComponentItem>): void {
  const name = readExternName(reader);
  const item = readExternType(reader, spaces);
  spaces.add(item);
  imports.set(name, item);
}

/** An export is a new item in the spaces too, with the type that it is given here if there is one. */
function readExport(reader: ByteReader, spaces: IndexSpaces, exports: Map<string, ComponentItem>): void {
  const name = readExternName(reader);
  const sort = readSort(reader);
  const item = spaces.item(sort, reader.u32());
  const given = reader.optional(() => readExternType(reader, spaces));
  spaces.add(given ?? item);
  exports.set(name, given ?? item);
}
