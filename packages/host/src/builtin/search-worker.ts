import { parentPort } from 'node:worker_threads';
import { messageOf } from '@toolpost/protocol';
import { runSearch } from './run-search.ts';
import type { SearchJob, SearchMessage } from './search-job.ts';

/** The entry of the worker: a pattern may take for ever, and only a thread of its own can then be stopped. */
parentPort?.on('message', (job: SearchJob) => {
  try {
    work(job);
  } catch (error) {
    post({ kind: 'failed', message: messageOf(error) });
  }
});

function work(job: SearchJob): void {
  const steps = runSearch(job);
  let step = steps.next();
  for (; !step.done; step = steps.next()) if (step.value.length > 0) post({ kind: 'lines', lines: step.value });
  post({ kind: 'done', summary: step.value });
}

function post(message: SearchMessage): void {
  parentPort?.postMessage(message);
}
