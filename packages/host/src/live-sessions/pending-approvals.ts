import type { ApprovalAnswer, ApprovalRequest, Approver } from '../call-path/approver.ts';
import type { Redactor } from '../call-path/redactor.ts';
import type { AnswerReceipt, GivenAnswer, PendingApproval } from './live-session.ts';
import { PendingQuestions } from './pending-questions.ts';

export interface PendingApprovals {
  /** Asks the session's user through whichever client answers first. */
  readonly approve: Approver;
  list(): readonly PendingApproval[];
  answer(approvalId: string, given: GivenAnswer): AnswerReceipt;
}

/** The permission questions of one session that wait for `owner`, its user. */
export function createPendingApprovals(owner: string, redact: Redactor, timeoutMs: number): PendingApprovals {
  const questions = new PendingQuestions<PendingApproval, ApprovalAnswer>(owner, timeoutMs);
  const ask = (request: ApprovalRequest, abortSignal: AbortSignal | undefined) =>
    questions.ask({
      ...{ id: request.approvalId, shown: shownOf(request, redact), abortSignal },
      whenGone: { answer: 'no', by: 'the host', reason: 'the turn was cancelled' },
      whenLate: { answer: 'no', by: 'the host', reason: 'nobody answered in time' },
    });
  return {
    approve: Object.assign(ask, { timeoutMs }),
    list: () => questions.list(),
    answer: (approvalId, { user, answer, by, reason }) =>
      questions.answer(approvalId, user, { answer, by, ...(reason !== undefined && { reason }) }),
  };
}

/** As in the `approval-request` event: clients are not shown secrets. */
function shownOf(request: ApprovalRequest, redact: Redactor): PendingApproval {
  const { session: _session, mayBeKept, ...shown } = request;
  return { ...shown, arguments: redact(shown.arguments), ...(mayBeKept && { mayBeKept }) };
}
