import { setTimeout as sleep } from 'node:timers/promises';

/** The stop is there before; a process that nobody can continue is not stopped at all. */
const STOPPED_WITHIN_MS = 50;

/**
 * Stops this process as Ctrl-Z does in a terminal that reads lines, with all of its group: a shell waits for `npm` where that
 * has started us. Resolves when the shell has continued it.
 */
export async function stopProcess(): Promise<void> {
  const listeners = process.listeners('SIGTSTP');
  // A signal that somebody listens to stops nothing.
  for (const listener of listeners) process.off('SIGTSTP', listener);
  process.kill(0, 'SIGTSTP');
  await sleep(STOPPED_WITHIN_MS);
  for (const listener of listeners) process.on('SIGTSTP', listener);
}
