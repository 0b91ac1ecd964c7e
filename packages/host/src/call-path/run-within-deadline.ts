import { formatDuration } from '@toolpost/protocol';
import type { CallContext } from './call-context.ts';
import { CallStopped } from './call-stopped.ts';
import { Deadline, type DeadlineLimits } from './deadline.ts';

export interface RunLimits extends DeadlineLimits {
  /** Named in the error, so that its reader knows what to change. */
  readonly toolName: string;
  readonly pluginId: string;
  readonly abortSignal: AbortSignal | undefined;
}

/**
 * Runs a tool and settles once: with its value, its throw, or CallStopped `timed-out` or `cancelled`. The caller is
 * released at once; the tool is told through its context and may take its time to stop.
 */
export function runWithinDeadline(
  context: CallContext,
  limits: RunLimits,
  execute: () => unknown,
): Promise<unknown> | unknown {
  if (limits.abortSignal?.aborted) throw cancelled(limits);
  const value = execute();
  return isThenable(value) ? raceWithDeadline(value, context, limits) : value;
}

function raceWithDeadline(running: PromiseLike<unknown>, context: CallContext, limits: RunLimits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { abortSignal } = limits;
    const deadline = new Deadline(limits, (limitMs) => stop(timedOut(limits, limitMs), 'timed-out'));
    const cancel = () => stop(cancelled(limits), 'cancelled');
    const finish = () => {
      deadline.stop();
      abortSignal?.removeEventListener('abort', cancel);
    };
    const stop = (reason: CallStopped, cause: 'timed-out' | 'cancelled') => {
      finish();
      reject(reason);
      context.abort(cause);
    };
    context.attach(deadline);
    deadline.start();
    abortSignal?.addEventListener('abort', cancel, { once: true });
    running.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error) => {
        finish();
        reject(error);
      },
    );
  });
}

function timedOut({ toolName, pluginId, maxMs, idleMs }: RunLimits, limitMs: number): CallStopped {
  const limit = formatDuration(limitMs);
  const which = maxMs !== undefined && limitMs === idleMs ? `it was silent for ${limit}` : `its time limit is ${limit}`;
  const setting = maxMs !== undefined && limitMs === maxMs ? 'maxTimeout' : 'timeout';
  return new CallStopped(
    'timed-out',
    `The tool ${toolName} timed out: ${which}. It was stopped; what it had begun may be half done. Ask for less at once, or raise \`${setting}\` in the manifest of the plugin ${pluginId}.`,
  );
}

function cancelled({ toolName }: RunLimits): CallStopped {
  return new CallStopped('cancelled', `The call of ${toolName} was cancelled. What it had begun may be half done.`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
