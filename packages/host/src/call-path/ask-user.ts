import { randomUUID } from 'node:crypto';
import { messageOf } from '@toolpost/protocol';
import type { ApprovalAnswer, ApprovalRequest, Approver } from './approver.ts';
import type { CallInProgress, CallPath, ReadyCall } from './call-in-progress.ts';
import { CallStopped, cancelledBefore } from './call-stopped.ts';
import { previewCall } from './preview-call.ts';

export interface OpenQuestion {
  readonly tool: ReadyCall['tool'];
  readonly input: ReadyCall['input'];
  readonly reason: string;
  readonly mayBeKept: boolean;
  readonly approve: Approver;
}

/**
 * Asks the session's user about this call and its final arguments. The answer is used once, or covers the same call for
 * the rest of the session, or for good.
 * @throws CallStopped `denied` with the user's reason, or `cancelled` when the caller goes away meanwhile.
 */
export async function askUser(path: CallPath, progress: CallInProgress, question: OpenQuestion): Promise<void> {
  const { options, trace } = progress;
  const { name } = question.tool.definition;
  const request = await requestOf(path, progress, question);
  const { session: _session, mayBeKept, ...shown } = request;
  if (options.abortSignal?.aborted) throw cancelledBefore(name);
  options.onEvent?.({
    ...{ type: 'approval-request', ...shown, arguments: path.redact(shown.arguments) },
    ...(mayBeKept && { mayBeKept }),
  });
  const { answer, by, reason } = await answerOf(question.approve, request, options.abortSignal);
  options.onEvent?.({ type: 'approval-end', approvalId: request.approvalId, answer, by });
  if (options.abortSignal?.aborted) throw cancelledBefore(name);
  trace.rule = `answered ${answer} by ${by}`;
  trace.decision = answer === 'no' ? 'deny' : 'allow';
  if (answer === 'no') {
    throw new CallStopped(
      'denied',
      `The user said no to this call of ${name}${reason ? `: ${reason}` : ''}. It did not run. Do something else or ask what they would rather have; do not repeat it.`,
    );
  }
  if (answer !== 'once') remember(path, progress, question, answer);
}

async function requestOf(
  path: CallPath,
  progress: CallInProgress,
  { tool, input, reason, mayBeKept, approve }: OpenQuestion,
): Promise<ApprovalRequest> {
  const preview = await previewCall(path, progress, { tool, input });
  return {
    approvalId: randomUUID(),
    toolCallId: progress.call.id,
    session: progress.session,
    plugin: tool.plugin.id,
    name: tool.definition.name,
    arguments: JSON.stringify(input),
    reason: path.redact(reason),
    ...(preview !== undefined && { preview }),
    ...(approve.timeoutMs !== undefined && { expiresAt: Date.now() + approve.timeoutMs }),
    mayBeKept,
  };
}

/** The call may run now, whether or not the yes can be kept. Not in both places: what is taken back is gone. */
function remember(
  path: CallPath,
  { session }: CallInProgress,
  { tool, input }: OpenQuestion,
  answer: 'session' | 'always',
): void {
  const call = { session, tool, input };
  if (answer === 'session') {
    path.approvals.grant(call);
    return;
  }
  try {
    path.keptApprovals.keep(call);
  } catch (error) {
    path.warn(`the answer "always" holds for this session only, as it could not be kept: ${messageOf(error)}`);
    path.approvals.grant(call);
  }
}

const CANCELLED: ApprovalAnswer = { answer: 'no', by: 'the caller' };

/** A front end that fails to ask has no yes; a caller that goes away does not wait for one. */
async function answerOf(
  approve: Approver,
  request: ApprovalRequest,
  abortSignal: AbortSignal | undefined,
): Promise<ApprovalAnswer> {
  const answer = Promise.resolve()
    .then(() => approve(request, abortSignal))
    .then((given: unknown) => readAnswer(given, request))
    .catch((error) => failed(`the question could not be asked (${messageOf(error)})`));
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

/** Front ends may be written without types: what is not plainly a yes is a no. */
function readAnswer(given: unknown, { mayBeKept }: ApprovalRequest): ApprovalAnswer {
  const { answer, by, reason }: Partial<Record<keyof ApprovalAnswer, unknown>> = Object(given);
  const known = ANSWERS.find((one) => one === answer);
  if (known === undefined) return failed(`the front end gave no answer that is known (${ANSWERS.join(', ')})`);
  return {
    answer: known === 'always' && !mayBeKept ? 'session' : known,
    by: typeof by === 'string' ? by : 'the front end',
    ...(typeof reason === 'string' && { reason: reason.trim() }),
  };
}

const ANSWERS = ['once', 'session', 'always', 'no'] as const;

function failed(reason: string): ApprovalAnswer {
  return { answer: 'no', by: 'the host', reason };
}
