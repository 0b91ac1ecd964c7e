// A thread that gives back what it gets, and never ends the loop it is told to begin.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (message) => {
  parentPort?.postMessage(message);
  while (message === 'loop');
});
