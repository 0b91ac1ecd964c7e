import { readFileSync } from 'node:fs';
import createPlugin from '@extism/extism';

const WASM = readFileSync(new URL('../children/core-echo/echo.wasm', import.meta.url));
/** extism keeps the texts of all calls until it is told not to, and has room for some 16,000. */
const CALLS_PER_RESET = 1000;

export interface ExtismPeer {
  call(text: string): Promise<string>;
  close(): Promise<void>;
}

/** A plugin of extism's that gives its text back, in this thread or in one of its own. Compiled anew each time. */
export async function openExtism({ runInWorker }: { runInWorker: boolean }): Promise<ExtismPeer> {
  const plugin = await createPlugin({ wasm: [{ data: WASM }] }, { runInWorker });
  let calls = 0;
  return {
    async call(text) {
      calls += 1;
      if (calls % CALLS_PER_RESET === 0) await plugin.reset();
      const output = await plugin.call('echo', text);
      if (!output) throw new Error('the plugin has no output');
      return output.text();
    },
    close: () => plugin.close(),
  };
}

/** The number that goes in comes out: a call without anything around it. */
export async function instantiateBare(): Promise<(value: number) => number> {
  const module = await WebAssembly.compile(WASM);
  const unused = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, () => 0]));
  const { same } = (await WebAssembly.instantiate(module, { 'extism:host/env': unused })).exports;
  if (typeof same !== 'function') throw new Error('echo.wasm exports no function `same`');
  return same as (value: number) => number;
}
