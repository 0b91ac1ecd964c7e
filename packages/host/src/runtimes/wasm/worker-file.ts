import { existsSync } from 'node:fs';

/**
 * The file of a thread's entry, which lies beside this one: as JavaScript when the host is built or bundled, as TypeScript
 * where its sources run.
 */
export function workerFile(name: 'wasm-worker' | 'transpile-worker'): URL {
  const built = new URL(`./${name}.js`, import.meta.url);
  return existsSync(built) ? built : new URL(`./${name}.ts`, import.meta.url);
}
