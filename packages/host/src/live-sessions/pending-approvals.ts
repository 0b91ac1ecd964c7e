import type { ApprovalAnswer, ApprovalRequest, Approver } from '../call-path/approver.ts';
import type { Redactor } from '../call-path/redactor.ts';
import type { AnswerReceipt, GivenAnswer, PendingApproval } from './live-session.ts';

export interface PendingApprovals {
  /** Asks the session's user through whichever client answers first. */
  readonly approve: Approver;
  list(): readonly PendingApproval[];
  answer(approvalId: string, given: GivenAnswer): AnswerReceipt;
}

interface Question {
  readonly shown: PendingApproval;
  readonly resolve: (answer: ApprovalAnswer) => void;
}

/** The questions of one session that wait for `owner`, its user. Each is answered once, by that user or by the end of its time. */
export function createPendingApprovals(owner: string, redact: Redactor, timeoutMs: number): PendingApprovals {
  const questions = new Map<string, Question>();

  const ask = (request: ApprovalRequest, abortSignal: AbortSignal | undefined): Promise<ApprovalAnswer> =>
    new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer) => {
        questions.delete(request.approvalId);
        clearTimeout(timer);
        abortSignal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      const giveUp = () => settle({ answer: 'no', by: 'the host', reason: 'the turn was cancelled' });
      const timer = setTimeout(
        () => settle({ answer: 'no', by: 'the host', reason: 'nobody answered in time' }),
        timeoutMs,
      );
      abortSignal?.addEventListener('abort', giveUp, { once: true });
      questions.set(request.approvalId, { shown: shownOf(request, redact), resolve: settle });
      if (abortSignal?.aborted) giveUp();
    });

  return {
    approve: Object.assign(ask, { timeoutMs }),
    list: () => [...questions.values()].map(({ shown }) => shown),
    answer(approvalId, { user, answer, by, reason }) {
      if (user !== owner) return 'not-yours';
      const question = questions.get(approvalId);
      if (!question) return 'gone';
      question.resolve({ answer, by, ...(reason !== undefined && { reason }) });
      return 'taken';
    },
  };
}

/** As in the `approval-request` event: clients are not shown secrets. */
function shownOf(request: ApprovalRequest, redact: Redactor): PendingApproval {
  const { session: _session, mayBeKept: _kept, ...shown } = request;
  return { ...shown, arguments: redact(shown.arguments) };
}
