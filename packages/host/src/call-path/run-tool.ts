import type { CallInProgress, CallPath, ReadyCall } from '../call-tool.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import { CallContext } from './call-context.ts';
import { CallStopped } from './call-stopped.ts';
import { type RunLimits, runWithinDeadline } from './run-within-deadline.ts';

/**
 * Waits for its turn and for the plugin to run, neither of which counts, then runs the tool under its deadline.
 * @throws CallStopped, PluginCrash, or what the tool threw.
 */
export async function runTool(path: CallPath, progress: CallInProgress, { tool, input }: ReadyCall): Promise<unknown> {
  const { runner } = tool.plugin;
  admit(path, progress, tool);
  if (!runner.isReady) await orCancelled(runner.ready(), progress, tool);
  const limit = path.limits.concurrencyOf(tool.plugin.id, progress.session.tenant, runner.maxConcurrentCalls);
  if (limit) await acquire(limit, progress, tool);
  const context = createContext(path, progress, { tool, input });
  try {
    return await runWithinDeadline(context, limitsOf(tool, progress), () =>
      runner.execute(tool.definition, input, context),
    );
  } finally {
    context.close();
    limit?.release();
  }
}

function admit(path: CallPath, { session }: CallInProgress, { plugin }: RegisteredTool): void {
  if (plugin.broken !== undefined && !plugin.runner.isReady) return;
  const admission = path.limits.admit(plugin.id, session.tenant);
  if (!admission.ok) throw new CallStopped('failed', admission.text);
}

function createContext(
  path: CallPath,
  { call, session, options }: CallInProgress,
  { tool, input }: ReadyCall,
): CallContext {
  return new CallContext({
    toolCallId: call.id,
    input,
    session,
    services: tool.plugin.runner.services,
    confine: path.confine,
    redact: path.redact,
    onEvent: options.onEvent,
    ask: options.ask,
  });
}

/** The shortest of what the tool, its plugin and the caller allow. */
function limitsOf({ definition, plugin }: RegisteredTool, { options }: CallInProgress): RunLimits {
  const most = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  const idleMs = Math.min(definition.timeoutMs ?? Number.POSITIVE_INFINITY, plugin.timeoutMs, most);
  return {
    idleMs,
    ...(plugin.maxTimeoutMs !== undefined && { maxMs: Math.min(plugin.maxTimeoutMs, most) }),
    toolName: definition.name,
    pluginId: plugin.id,
    abortSignal: options.abortSignal,
  };
}

async function acquire(limit: ConcurrencyLimit, progress: CallInProgress, tool: RegisteredTool): Promise<void> {
  const { abortSignal } = progress.options;
  const queuedAt = performance.now();
  const acquired = limit.acquire({ onAbort: (listener) => listenOnce(abortSignal, listener) });
  if (acquired === true) return;
  const mayRun = await acquired;
  progress.trace.queuedMs += Math.round(performance.now() - queuedAt);
  if (!mayRun) throw cancelledBefore(tool);
}

/** The plugin goes on starting; only this caller stops waiting. */
async function orCancelled(ready: Promise<void>, { options }: CallInProgress, tool: RegisteredTool): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stopListening = listenOnce(options.abortSignal, () => reject(cancelledBefore(tool)));
  promise.catch(() => undefined);
  try {
    await Promise.race([ready, promise]);
  } finally {
    ready.catch(() => undefined);
    stopListening();
  }
}

function cancelledBefore({ definition }: RegisteredTool): CallStopped {
  return new CallStopped('cancelled', `The call of ${definition.name} was cancelled before it ran.`);
}

function listenOnce(abortSignal: AbortSignal | undefined, listener: () => void): () => void {
  if (!abortSignal) return () => undefined;
  if (abortSignal.aborted) listener();
  else abortSignal.addEventListener('abort', listener, { once: true });
  return () => abortSignal.removeEventListener('abort', listener);
}
