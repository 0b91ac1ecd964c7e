import type { CallRecord, JsonObject } from '@toolpost/protocol';
import { hookOutput } from '../hooks/hook-output.ts';
import type { HookEvent } from '../runtimes/runtime.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import { CallStopped, cancelledBefore } from './call-stopped.ts';

export interface HookedCall {
  readonly input: JsonObject;
  /** Why a hook wants the user to be asked; absent when none does. */
  readonly asks?: string;
}

/**
 * Lets PreToolUse hooks see the call: they may rewrite its arguments, want the user asked, or deny it.
 * @throws CallStopped `denied` with the hooks' messages.
 */
export async function runPreHooks(
  path: CallPath,
  progress: CallInProgress,
  { tool, input }: ReadyCall,
): Promise<HookedCall> {
  const toolName = tool.definition.name;
  const { trace, options } = progress;
  const verdict = await path.hooks.run(hookEvent('PreToolUse', progress, { tool, input }), options.abortSignal);
  for (const warning of verdict.warnings) path.warn(warning);
  trace.hooks = [`PreToolUse: ${verdict.decision}${verdict.message === '' ? '' : ` (${verdict.message})`}`];
  if (options.abortSignal?.aborted) throw cancelledBefore(toolName);
  if (verdict.decision === 'deny') {
    trace.decision = 'deny';
    trace.rule = 'hook PreToolUse';
    const why = verdict.message || 'it gave no reason';
    throw new CallStopped(
      'denied',
      `The call of ${toolName} was denied by a hook: ${why}. It did not run; do something else or ask the user.`,
    );
  }
  // Copies: what is decided and asked about is what runs, whatever the hook does to its object later.
  const rewritten = structuredClone(verdict.updatedInput);
  if (rewritten) trace.finalArguments = structuredClone(rewritten);
  return {
    input: rewritten ?? input,
    ...(verdict.decision === 'ask' && { asks: verdict.message || 'a hook wants the user to decide' }),
  };
}

/**
 * Tells PostToolUse hooks, or PostToolUseFailure ones, how it ended. They can change nothing any more.
 * @returns undefined when there is nobody to tell.
 */
export function runPostHooks(path: CallPath, progress: CallInProgress, record: CallRecord): Promise<void> | undefined {
  const { tool } = progress.trace;
  const event = record.outcome === 'completed' ? 'PostToolUse' : 'PostToolUseFailure';
  if (!tool || !path.hooks.hasHooks(event, tool.definition.name)) return undefined;
  return tellHooks(path, {
    ...hookEvent(event, progress, { tool, input: progress.trace.finalArguments }),
    toolOutput: hookOutput(record.text),
    toolElapsedMs: Math.round(record.durationMs),
  });
}

async function tellHooks(path: CallPath, event: HookEvent): Promise<void> {
  const { warnings } = await path.hooks.run(event);
  for (const warning of warnings) path.warn(warning);
}

function hookEvent(
  event: string,
  { call, session }: CallInProgress,
  { tool, input }: { tool: ReadyCall['tool']; input: JsonObject | undefined },
): HookEvent {
  const { id, channel, chatId, tenant, user } = session;
  return {
    event,
    toolName: tool.definition.name,
    toolInput: input === undefined ? call.arguments : JSON.stringify(input),
    session: { id, channel, chatId, tenant, user },
  };
}
