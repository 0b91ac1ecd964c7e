import type { AnswerApproval } from '@toolpost/protocol';
import { type FormEvent, useCallback, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { useLoaded } from '../app/use-loaded.ts';
import type { Approval } from '../session/entries.ts';
import { spelledOut } from '../text/plain-text.ts';
import { useEscape } from '../ui/use-escape.ts';
import { ApprovalPreview } from './approval-preview.tsx';
import { Deadline } from './deadline.tsx';

interface ApprovalQuestionProps {
  readonly approval: Approval;
  readonly sessionId: string;
}

/** Whether a call may run: what it would do, exactly, and four answers. */
export function ApprovalQuestion({ approval, sessionId }: ApprovalQuestionProps) {
  const { client, attempt } = useConnection();
  const [isSent, setSent] = useState(false);
  const [refuses, setRefuses] = useState(false);

  async function answer(how: AnswerApproval): Promise<void> {
    setSent(true);
    // Another tab may have been quicker: then the events say so.
    await attempt(client.answerApproval(sessionId, approval.approvalId, how));
    setSent(false);
  }

  return (
    <div className="question">
      <p className="question-title">
        {approval.plugin === 'builtin' ? (
          <>
            Allow the built-in <strong>{spelledOut(approval.name)}</strong>?
          </>
        ) : (
          <>
            Allow <strong>{spelledOut(approval.name)}</strong> of plugin <strong>{spelledOut(approval.plugin)}</strong>?
          </>
        )}
      </p>
      <p className="dim">
        {spelledOut(approval.reason)}
        {approval.expiresAt !== undefined && ' · '}
        <Deadline expiresAt={approval.expiresAt} />
      </p>
      <ApprovalPreview approval={approval} />
      {refuses ? (
        <Refusal onAnswer={answer} onBack={() => setRefuses(false)} isSent={isSent} />
      ) : (
        <Answers
          approval={approval}
          sessionId={sessionId}
          isSent={isSent}
          onAnswer={answer}
          onNo={() => setRefuses(true)}
        />
      )}
    </div>
  );
}

interface AnswersProps extends ApprovalQuestionProps {
  readonly isSent: boolean;
  readonly onAnswer: (how: AnswerApproval) => Promise<void>;
  readonly onNo: () => void;
}

function Answers({ approval: { mayBeKept }, sessionId, isSent, onAnswer, onNo }: AnswersProps) {
  const give = (answer: AnswerApproval['answer']) => () => void onAnswer({ answer });
  return (
    <>
      <div className="answers">
        <button type="button" className="button primary" disabled={isSent} onClick={give('once')}>
          Allow once
        </button>
        <button type="button" className="button" disabled={isSent} onClick={give('session')}>
          For this session
        </button>
        {mayBeKept && (
          <button type="button" className="button" disabled={isSent} onClick={give('always')}>
            Always
          </button>
        )}
        <button type="button" className="button danger" disabled={isSent} onClick={onNo}>
          No…
        </button>
      </div>
      <p className="dim">
        “For this session”: this very call, until the session ends. {mayBeKept && <AlwaysScope sessionId={sessionId} />}
      </p>
    </>
  );
}

/** What "always" keeps, and where it holds. */
function AlwaysScope({ sessionId }: { readonly sessionId: string }) {
  const { client } = useConnection();
  const load = useCallback(() => client.getSession(sessionId), [client, sessionId]);
  const roots = useLoaded(load, 0)?.roots ?? [];
  const where = roots.length === 0 ? 'in sessions with the same directories' : `in ${roots.map(spelledOut).join(', ')}`;
  return (
    <>
      “Always”: this very call, for you, {where}, until you take it back with <code>toolpost approvals forget</code>.
    </>
  );
}

interface RefusalProps {
  readonly onAnswer: (how: AnswerApproval) => Promise<void>;
  readonly onBack: () => void;
  readonly isSent: boolean;
}

function Refusal({ onAnswer, onBack, isSent }: RefusalProps) {
  const [reason, setReason] = useState('');
  useEscape('edit', true, onBack);
  function send(event: FormEvent): void {
    event.preventDefault();
    void onAnswer({ answer: 'no', ...(reason.trim() !== '' && { reason: reason.trim() }) });
  }
  return (
    <form className="refusal" onSubmit={send}>
      <label>
        Why not? The model reads it.
        <input
          ref={(input) => input?.focus()}
          value={reason}
          maxLength={2000}
          placeholder="You may leave this empty"
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <div className="answers">
        <button type="submit" className="button danger" disabled={isSent}>
          Do not run it
        </button>
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  );
}
