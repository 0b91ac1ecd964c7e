import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { CallContext } from './call-context.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import { CallStopped, cancelledBefore } from './call-stopped.ts';
import { type RunLimits, runWithinDeadline } from './run-within-deadline.ts';
import { runnerFor } from './runner-for.ts';

/**
 * Waits for its turn and for the plugin to run, neither of which counts, then runs the tool under its deadline.
 * @throws CallStopped, PluginCrash, or what the tool threw.
 */
export function runTool(path: CallPath, progress: CallInProgress, ready: ReadyCall): Promise<unknown> | unknown {
  const { plugin } = ready.tool;
  const { tenant } = progress.session;
  const runner = runnerFor(ready.tool, tenant);
  const admission = path.limits.admit(plugin.id, tenant);
  if (!admission.ok) throw new CallStopped('failed', admission.text);
  const mayStart = runner.isReady && !path.limits.concurrencyOf(plugin.id, tenant, runner);
  return mayStart ? execute(path, progress, ready) : executeInTurn(path, progress, ready);
}

async function executeInTurn(path: CallPath, progress: CallInProgress, ready: ReadyCall): Promise<unknown> {
  const { tool } = ready;
  const { tenant } = progress.session;
  const runner = runnerFor(tool, tenant);
  if (!runner.isReady) await orCancelled(runner.ready(), progress, tool);
  const limit = path.limits.concurrencyOf(tool.plugin.id, tenant, runner);
  if (!limit) return execute(path, progress, ready);
  await acquire(limit, progress, tool);
  try {
    // A call before this one may have ended the process while this one waited.
    if (!runner.isReady) await orCancelled(runner.ready(), progress, tool);
    return await execute(path, progress, ready);
  } finally {
    limit.release();
  }
}

function execute(path: CallPath, progress: CallInProgress, ready: ReadyCall): Promise<unknown> | unknown {
  const context = new CallContext(path, progress, ready);
  const { tool } = ready;
  if (progress.options.abortSignal?.aborted) throw cancelledBefore(tool.definition.name);
  const place = runnerFor(tool, progress.session.tenant).acquire?.(context);
  if (place) return executeInPlace(place, context, { progress, ready });
  return runWithinDeadline(ready, context, limitsOf(tool, progress));
}

/** A place that nobody will use is given back by the abort. */
async function executeInPlace(
  place: Promise<void>,
  context: CallContext,
  { progress, ready }: { progress: CallInProgress; ready: ReadyCall },
): Promise<unknown> {
  const queuedAt = performance.now();
  try {
    await orCancelled(place, progress, ready.tool);
    if (progress.options.abortSignal?.aborted) throw cancelledBefore(ready.tool.definition.name);
  } catch (error) {
    context.abort('cancelled');
    context.close();
    throw error;
  } finally {
    progress.trace.queuedMs += Math.round(performance.now() - queuedAt);
  }
  return runWithinDeadline(ready, context, limitsOf(ready.tool, progress));
}

/** The shortest of what the tool, its plugin and the caller allow. */
function limitsOf(tool: RegisteredTool, { options }: CallInProgress): RunLimits {
  const { definition, plugin } = tool;
  const { timeoutMs: most = Number.POSITIVE_INFINITY, abortSignal } = options;
  return {
    idleMs: Math.min(definition.timeoutMs ?? Number.POSITIVE_INFINITY, plugin.timeoutMs, most),
    maxMs: plugin.maxTimeoutMs === undefined ? undefined : Math.min(plugin.maxTimeoutMs, most),
    tool,
    callerMs: options.timeoutMs,
    abortSignal,
  };
}

async function acquire(limit: ConcurrencyLimit, progress: CallInProgress, tool: RegisteredTool): Promise<void> {
  const { abortSignal } = progress.options;
  const queuedAt = performance.now();
  const acquired = limit.acquire({ onAbort: (listener) => listenOnce(abortSignal, listener) });
  if (acquired === true) return;
  const mayRun = await acquired;
  progress.trace.queuedMs += Math.round(performance.now() - queuedAt);
  if (!mayRun) throw cancelledBefore(tool.definition.name);
}

/** The plugin goes on starting; only this caller stops waiting. */
async function orCancelled(ready: Promise<void>, { options }: CallInProgress, tool: RegisteredTool): Promise<void> {
  const cancelled = Promise.withResolvers<never>();
  const stopListening = listenOnce(options.abortSignal, () => cancelled.reject(cancelledBefore(tool.definition.name)));
  try {
    await Promise.race([ready, cancelled.promise]);
  } finally {
    // Whichever comes second has nobody to tell any more.
    ready.catch(() => undefined);
    cancelled.promise.catch(() => undefined);
    stopListening();
  }
}

function listenOnce(abortSignal: AbortSignal | undefined, listener: () => void): () => void {
  if (!abortSignal) return () => undefined;
  if (abortSignal.aborted) listener();
  else abortSignal.addEventListener('abort', listener, { once: true });
  return () => abortSignal.removeEventListener('abort', listener);
}
