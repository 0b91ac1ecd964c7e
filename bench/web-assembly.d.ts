/** What is used here of the JavaScript API, which TypeScript only declares together with the whole DOM. */
declare global {
  namespace WebAssembly {
    type Module = object;
    const Module: { imports(module: Module): { name: string }[] };
    interface Instance {
      readonly exports: Record<string, unknown>;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
    function instantiate(module: Module, imports: Record<string, Record<string, unknown>>): Promise<Instance>;
  }
}

export {};
