import { randomUUID } from 'node:crypto';
import type { CallInProgress, CallPath, ReadyCall } from '../call-tool.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approver.ts';
import { CallStopped, cancelledBefore } from './call-stopped.ts';

/**
 * Asks the session's user about this call and its final arguments. The answer is used once, or covers the same call for
 * the rest of the session.
 * @throws CallStopped `denied` with the user's reason, or `cancelled` when the caller goes away meanwhile.
 */
export async function askUser(
  path: CallPath,
  { call, session, options, trace }: CallInProgress,
  { tool, input, reason, approve }: ReadyCall & { reason: string; approve: Approver },
): Promise<void> {
  const name = tool.definition.name;
  const request: ApprovalRequest = {
    approvalId: randomUUID(),
    toolCallId: call.id,
    session,
    plugin: tool.plugin.id,
    name,
    arguments: JSON.stringify(input),
    reason,
  };
  const { approvalId, toolCallId, plugin } = request;
  options.onEvent?.({
    type: 'approval-request',
    approvalId,
    toolCallId,
    plugin,
    name,
    arguments: path.redact(request.arguments),
    reason: path.redact(reason),
  });
  const { answer, by, reason: why } = await answerOf(approve, request, options.abortSignal);
  options.onEvent?.({ type: 'approval-end', approvalId, answer, by });
  if (options.abortSignal?.aborted) throw cancelledBefore(name);
  trace.rule = `answered ${answer} by ${by}`;
  if (answer === 'no') {
    trace.decision = 'deny';
    throw new CallStopped(
      'denied',
      `The user said no to this call of ${name}${why ? `: ${why}` : ''}. It did not run. Do something else or ask what they would rather have; do not repeat it.`,
    );
  }
  trace.decision = 'allow';
  if (answer === 'session') path.approvals.grant({ sessionId: session.id, tool, input }, 'session');
}

const CANCELLED: ApprovalAnswer = { answer: 'no', by: 'the caller' };

/** A front end that fails to ask has no yes; a caller that goes away does not wait for one. */
async function answerOf(
  approve: Approver,
  request: ApprovalRequest,
  abortSignal: AbortSignal | undefined,
): Promise<ApprovalAnswer> {
  const failed = (error: unknown): ApprovalAnswer => ({
    answer: 'no',
    by: 'the host',
    reason: `the question could not be asked (${error instanceof Error ? error.message : String(error)})`,
  });
  const answer = Promise.resolve()
    .then(() => approve(request, abortSignal))
    .catch(failed);
  if (!abortSignal) return answer;
  if (abortSignal.aborted) return CANCELLED;
  const { promise, resolve } = Promise.withResolvers<ApprovalAnswer>();
  const cancel = () => resolve(CANCELLED);
  abortSignal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([answer, promise]);
  } finally {
    abortSignal.removeEventListener('abort', cancel);
  }
}
