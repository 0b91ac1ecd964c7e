import { Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { transpileBytes } from '@bytecodealliance/jco-transpile';
import { messageOf } from '@toolpost/protocol';
import type { TranspileAnswer, TranspileJob } from './transpile.ts';
import type { TranspiledComponent } from './transpiled-component.ts';

const job: TranspileJob = workerData;

async function transpile(): Promise<TranspiledComponent> {
  const jco: { transpileBytes: typeof transpileBytes } = await import(job.moduleUrl);
  const { files, imports, exports } = await jco.transpileBytes(job.bytes, {
    name: 'component',
    instantiation: 'sync',
    minify: true,
    nodejsCompat: false,
    emitTypescriptDeclarations: false,
  });
  let glue: string | undefined;
  const modules = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [name, bytes] of Object.entries(files)) {
    if (name.endsWith('.js')) glue = toScript(Buffer.from(bytes).toString());
    else if (name.endsWith('.wasm')) modules.set(name, Uint8Array.from(bytes));
  }
  if (glue === undefined) throw new Error('the transpiler gave no JavaScript');
  return { glue, modules, imports, exports: exports.map(([name]) => name) };
}

/**
 * The generated module as a script whose value is its `instantiate`: V8's code for a script can be kept, and a script
 * needs no file and no module loader in the thread that runs it.
 */
function toScript(module: string): string {
  const body = module
    .replace('export function instantiate(', 'function instantiate(')
    .replace('export const _util', 'const _util')
    // Asked hundreds of times a call, where an environment is slow to read: a third of a call's time in the glue.
    .replaceAll('globalThis?.process?.env?.JCO_DEBUG', 'false');
  const script = `(()=>{"use strict";${body}\nreturn instantiate;})()`;
  // An `export` or `import` that is left is a syntax error here, before anything is kept.
  new Script(script);
  return script;
}

/** The transpiler says what it was about, and below that what it met: only the last is of the component. */
function problemOf(error: unknown): string {
  const message = messageOf(error);
  return (
    message
      .split(/\n+\s*Caused by:\s*/)
      .at(-1)
      ?.trim()
      .replace(/^\d+: /, '') ?? message
  );
}

const answer: TranspileAnswer = await transpile().then(
  (component) => ({ component }),
  (error: unknown) => ({ problem: problemOf(error) }),
);
parentPort?.postMessage(answer);
