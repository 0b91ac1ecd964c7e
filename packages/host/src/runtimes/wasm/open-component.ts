import { Script } from 'node:vm';
import type { WorkerStart } from './worker-messages.ts';

/** What jco generates: core modules by name, the imports by interface, and how a core module is instantiated. */
type Instantiate = (
  getCoreModule: (name: string) => WebAssembly.Module,
  imports: Record<string, unknown>,
  instantiateCore: (module: WebAssembly.Module, imports?: WebAssembly.Imports) => WebAssembly.Instance,
) => Record<string, unknown>;

/** A component that cannot be run here; no fault of what its code does. `message` goes on after its name. */
export class ComponentProblem extends Error {
  override readonly name = 'ComponentProblem';
}

/** A component that was instantiated. */
export interface OpenComponent {
  readonly exports: Record<string, unknown>;
  /** Whether one of its memories could not grow any further. */
  isMemoryFull(): boolean;
  /** V8's code for what has run of the glue so far. */
  createCodeCache(): Uint8Array | undefined;
}

type OpenOptions = Pick<WorkerStart, 'imports' | 'glue' | 'codeCache' | 'modules' | 'memoryPages' | 'tableElements'>;

/** A guest whose memory is fuller than this when it traps has most likely trapped for that. */
const FULL_SHARE = 0.9;
const PAGE_BYTES = 65_536;

/** @throws ComponentProblem when something is missing or too much, and what the guest throws while it is instantiated. */
export function openComponent(options: OpenOptions, imports: Record<string, unknown>): OpenComponent {
  const missing = options.imports.filter((name) => !Object.hasOwn(imports, name));
  if (missing.length > 0) throw new ComponentProblem(`imports what Toolpost does not provide: ${missing.join(', ')}`);
  const { glue, codeCache } = options;
  const script = new Script(glue, {
    filename: 'component.js',
    ...(codeCache && { cachedData: Buffer.from(codeCache) }),
  });
  const instantiate: Instantiate = script.runInThisContext();
  const memories = new Set<WebAssembly.Memory>();
  const budget = createBudget(options);

  const exports = instantiate(
    (name) => {
      const shared = options.modules.get(name);
      if (!shared) throw new ComponentProblem(`has no module ${name}`);
      return shared.module;
    },
    imports,
    (module, coreImports) => {
      budget.take(module);
      const instance = new WebAssembly.Instance(module, coreImports);
      for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value);
      return instance;
    },
  );

  return {
    exports,
    isMemoryFull() {
      const bytes = [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
      return bytes >= options.memoryPages * PAGE_BYTES * FULL_SHARE;
    },
    createCodeCache: () => (codeCache && !script.cachedDataRejected ? undefined : script.createCachedData()),
  };
}

/** A module may be instantiated more than once, each time with memories and tables of its own. */
function createBudget({ modules, memoryPages, tableElements }: OpenOptions) {
  const shared = new Map([...modules.values()].map((one) => [one.module, one]));
  let pages = memoryPages;
  let elements = tableElements;
  return {
    take(module: WebAssembly.Module): void {
      const needs = shared.get(module);
      pages -= needs?.memoryPages ?? 0;
      elements -= needs?.tableElements ?? 0;
      if (pages < 0 || elements < 0)
        throw new ComponentProblem('instantiates a module several times, whose memories or tables could pass the cap');
    },
  };
}
