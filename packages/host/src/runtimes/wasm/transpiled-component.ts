/** A component as JavaScript that runs it, and the core modules it is made of. */
export interface TranspiledComponent {
  /** A script whose value is jco's `instantiate(getCoreModule, imports, instantiateCore)`. */
  readonly glue: string;
  /** By the names that the glue asks for. */
  readonly modules: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Interfaces that it needs, without versions: `wasi:io/streams`. */
  readonly imports: readonly string[];
  readonly exports: readonly string[];
}
