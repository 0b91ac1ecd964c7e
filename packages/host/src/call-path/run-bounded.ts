import { createContext, Script } from 'node:vm';

/** A check that takes longer is no check of a tool's arguments, but a schema or a text that was made to take for ever. */
const MAX_CHECK_MS = 1000;

let runInBounds: ((work: () => boolean) => boolean) | undefined;
let isRunning = false;

/**
 * Runs synchronous work that may never end, and ends it after a second: nothing else in this process runs meanwhile. That
 * costs more than a usual check, so it is for those alone whose time cannot be foreseen.
 * @throws RangeError when the time was up.
 */
export function runBounded(work: () => boolean): boolean {
  if (isRunning) return work();
  runInBounds ??= createRunner();
  isRunning = true;
  try {
    return runInBounds(work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new RangeError(`a check of the arguments did not end within ${MAX_CHECK_MS} ms`, { cause: error });
  } finally {
    isRunning = false;
  }
}

/** It comes out of the script's own realm, whose errors are none of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

/** Only a script of `node:vm` has a time limit; this one calls a function of ours. */
function createRunner(): (work: () => boolean) => boolean {
  const sandbox: { work: () => boolean } = { work: () => true };
  const context = createContext(sandbox);
  const script = new Script('work()');
  return (work) => {
    sandbox.work = work;
    return script.runInContext(context, { timeout: MAX_CHECK_MS }) === true;
  };
}
