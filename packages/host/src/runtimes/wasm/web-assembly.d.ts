/** What this folder uses of the JavaScript API, which TypeScript only declares together with the whole DOM. */
declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array<ArrayBuffer>);
    }
    class Instance {
      readonly exports: Record<string, unknown>;
      constructor(module: Module, imports?: Imports);
    }
    class Memory {
      constructor(limits: { initial: number; maximum?: number });
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
    class Table {
      readonly length: number;
      grow(elements: number): number;
    }
    type Imports = Record<string, Record<string, unknown>>;
    function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  }
}

export {};
