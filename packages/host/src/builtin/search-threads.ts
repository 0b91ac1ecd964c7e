import { Worker } from 'node:worker_threads';
import type { SearchJob, SearchMessage, SearchSummary } from './search-job.ts';
import { ToolFailure } from './tool-failure.ts';

const MAX_WORKER_MB = 512;
const MAX_THREADS = 4;
/** A thread takes longer to start than most searches take. */
const KEEP_IDLE_MS = 30_000;

export interface SearchResult {
  lines: string[];
  /** Absent when the time was up first. */
  summary?: SearchSummary;
}

export interface SearchLimits {
  budgetMs: number;
  abortSignal: AbortSignal;
}

/** The thread that is idle, kept for the next search; it keeps no process alive. */
let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/** Searches that have a thread, and those that wait for one. */
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a search in a thread, which can be stopped in the middle of a pattern that would never end.
 * @throws ToolFailure, or the reason of an abort.
 */
export async function searchInThread(job: SearchJob, limits: SearchLimits): Promise<SearchResult> {
  if (running < MAX_THREADS) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    limits.abortSignal.throwIfAborted();
    return await runInThread(job, limits);
  } finally {
    // The next one takes over the place.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function runInThread(job: SearchJob, { budgetMs, abortSignal }: SearchLimits): Promise<SearchResult> {
  const lines: string[] = [];
  const worker = takeIdle() ?? startWorker();
  worker.ref();
  return new Promise<SearchResult>((resolve, reject) => {
    const finish = (settle: () => void, isReusable = false): void => {
      clearTimeout(timer);
      abortSignal.removeEventListener('abort', abort);
      worker.off('message', take).off('error', crash).off('exit', exit);
      if (isReusable) keepIdle(worker);
      else void worker.terminate();
      settle();
    };
    const fail = (message: string): void => finish(() => reject(new ToolFailure(`the search failed: ${message}`)));
    const take = (message: SearchMessage): void => {
      if (message.kind === 'lines') for (const line of message.lines) lines.push(line);
      else if (message.kind === 'failed') fail(message.message);
      else finish(() => resolve({ lines, summary: message.summary }), true);
    };
    const crash = (error: Error): void => fail(error.message);
    const exit = (): void => fail('its thread ended');
    const abort = (): void => finish(() => reject(abortSignal.reason));
    const timer = setTimeout(() => finish(() => resolve({ lines })), budgetMs);
    abortSignal.addEventListener('abort', abort, { once: true });
    worker.on('message', take).on('error', crash).on('exit', exit);
    worker.postMessage(job);
  });
}

function startWorker(): Worker {
  const file = import.meta.url.endsWith('.ts') ? './search-worker.ts' : './search-worker.js';
  const resourceLimits = { maxOldGenerationSizeMb: MAX_WORKER_MB };
  return new Worker(new URL(file, import.meta.url), { execArgv: [], env: {}, resourceLimits });
}

function takeIdle(): Worker | undefined {
  if (idle === undefined) return undefined;
  const { worker, timer } = idle;
  idle = undefined;
  clearTimeout(timer);
  worker.off('error', takeIdle).off('exit', takeIdle);
  return worker;
}

function keepIdle(worker: Worker): void {
  if (idle !== undefined) return void worker.terminate();
  worker.unref();
  const timer = setTimeout(() => void takeIdle()?.terminate(), KEEP_IDLE_MS);
  timer.unref();
  idle = { worker, timer };
  worker.on('error', takeIdle).on('exit', takeIdle);
}
