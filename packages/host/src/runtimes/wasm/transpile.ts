import { Worker } from 'node:worker_threads';
import { formatDuration } from '@toolpost/protocol';
import { throwIfClosing, whileOpen } from '../while-open.ts';
import type { TranspiledComponent } from './transpiled-component.ts';
import { findTranspiler } from './transpiler.ts';
import { workerFile } from './worker-file.ts';

/** A JavaScript engine as a component, some 12 MB, takes it a fraction of this. */
const TRANSPILER_HEAP_MB = 1024;

export interface TranspileOptions {
  readonly homeDir: string;
  readonly timeoutMs: number;
  /** Aborts when the host closes, which does not wait for it. */
  readonly closing?: AbortSignal;
}

/** What the thread is given. */
export interface TranspileJob {
  readonly moduleUrl: string;
  readonly bytes: Uint8Array;
}

/** What the thread answers. */
export type TranspileAnswer = { readonly component: TranspiledComponent } | { readonly problem: string };

/**
 * Turns a component into JavaScript and core modules, in a thread of its own: it takes seconds for large ones, which
 * would hold up every other call, and its memory goes with the thread.
 * @throws Error that says what is wrong with the component, or how the transpiler is installed.
 */
export async function transpile(bytes: Uint8Array, options: TranspileOptions): Promise<TranspiledComponent> {
  throwIfClosing(options);
  const job: TranspileJob = { moduleUrl: findTranspiler(options.homeDir).moduleUrl, bytes };
  const worker = new Worker(workerFile('transpile-worker'), {
    workerData: job,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: TRANSPILER_HEAP_MB },
  });
  const answer = Promise.withResolvers<TranspileAnswer>();
  const limit = formatDuration(options.timeoutMs);
  const giveUp = () => answer.reject(new Error(`its transpilation, which is done once, took longer than ${limit}`));
  const timer = setTimeout(giveUp, options.timeoutMs);
  worker.once('message', answer.resolve);
  worker.once('error', answer.reject);
  worker.once('exit', () => answer.reject(new Error('the transpiler ended without an answer')));
  try {
    const given = await whileOpen(options, answer.promise);
    if ('problem' in given) throw new Error(`it is damaged, cut off, or uses what is not supported: ${given.problem}`);
    return given.component;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
