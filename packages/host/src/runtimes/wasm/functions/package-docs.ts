const decoder = new TextDecoder();
const SECTION = 'package-docs';

/** The documentation comments of the WIT that a component was built from, as far as it carries them. */
export interface PackageDocs {
  /** Of a function that the world exports by itself. */
  ofFunction(name: string): string | undefined;
  /** Of a function in an exported interface, by the interface's own name. */
  ofInterfaceFunction(interfaceName: string, name: string): string | undefined;
}

/** Reads the custom section in both of its versions; a section that cannot be read is no documentation. */
export function readPackageDocs(customSections: ReadonlyMap<string, Uint8Array>): PackageDocs {
  const docs = parse(customSections.get(SECTION));
  const worlds = Object.values(objectOf(docs, 'worlds'));
  return {
    ofFunction: (name) => worlds.map((world) => textOf(objectOf(world, 'func_exports')[name])).find(Boolean),
    ofInterfaceFunction: (interfaceName, name) => {
      const inPackage = objectOf(docs, 'interfaces')[interfaceName];
      const inWorlds = worlds.map((world) => objectOf(world, 'interface_exports')[interfaceName]);
      return [inPackage, ...inWorlds].map((one) => textOf(objectOf(one, 'funcs')[name])).find(Boolean);
    },
  };
}

/** A byte of version, then JSON: in version 0 a function's docs are a text, in version 1 an object with `docs`. */
function parse(section: Uint8Array | undefined): unknown {
  if (section === undefined) return undefined;
  try {
    return JSON.parse(decoder.decode(section.subarray(1)));
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown, name: string): Record<string, unknown> {
  const inner = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof inner === 'object' && inner !== null ? { ...inner } : {};
}

function textOf(docs: unknown): string | undefined {
  const text = typeof docs === 'object' && docs !== null ? Reflect.get(docs, 'docs') : docs;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
