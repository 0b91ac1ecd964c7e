import { setTimeout as sleep } from 'node:timers/promises';
import type { FormRequest } from '@toolpost/host';
import {
  type ApiClient,
  ApiError,
  type PendingApprovalOfApi,
  type PendingFormOfApi,
  type ToolpostEvent,
} from '@toolpost/protocol';
import { AnsweredElsewhere } from '../answered-elsewhere.ts';
import type { ConversationTurn } from '../conversation.ts';

const RETRY_MS = 500;

/** The questions of a session at a server, asked here as those of this process are: whoever answers first answers. */
export interface RemoteQuestions {
  take(event: ToolpostEvent): void;
  /** Asks what was asked before anybody followed. */
  takeOpen(): Promise<void>;
  /** Nobody here is asked any more. */
  close(): void;
}

export function createRemoteQuestions(
  client: ApiClient,
  sessionId: string,
  { approve, ask, notice }: ConversationTurn,
): RemoteQuestions {
  const open = new Map<string, AbortController>();

  /** A question that was answered while its events were read is not asked at all. */
  function pose(id: string, work: (abortSignal: AbortSignal) => Promise<void>): void {
    if (open.has(id)) return;
    const controller = new AbortController();
    open.set(id, controller);
    setImmediate(() => {
      if (controller.signal.aborted) return;
      work(controller.signal).catch((error: Error) => notice(`the answer did not count: ${error.message}`));
    });
  }

  function poseApproval({ approvalId, mayBeKept = false, ...request }: PendingApprovalOfApi): void {
    pose(approvalId, async (abortSignal) => {
      const session = { ...NOBODYS, id: sessionId, roots: mayBeKept ? await rootsOf(client, sessionId) : [] };
      const given = approve
        ? await approve({ ...request, approvalId, mayBeKept, session }, abortSignal)
        : {
            answer: 'no' as const,
            reason: 'nobody can answer where this was asked: allow the call by a rule of the server',
          };
      const { answer, reason } = given;
      const body = { answer, ...(reason !== undefined && { reason }) };
      await untilSent(abortSignal, () => client.answerApproval(sessionId, approvalId, body));
    });
  }

  function poseForm(form: PendingFormOfApi): void {
    pose(form.formId, async (abortSignal) => {
      const { message, schema } = form;
      const request: FormRequest = { ...form, abortSignal };
      const { action, content } = (await ask?.({ message, schema }, request)) ?? { action: 'cancel' as const };
      const body = { action, ...(content && { content }) };
      await untilSent(abortSignal, () => client.answerForm(sessionId, form.formId, body));
    });
  }

  function end(id: string, answer: string, by: string): void {
    open.get(id)?.abort(new AnsweredElsewhere(answer, by));
  }

  return {
    take(event) {
      if (event.type === 'approval-request') poseApproval(event);
      else if (event.type === 'form-request') poseForm(event);
      else if (event.type === 'approval-end') end(event.approvalId, event.answer, event.by);
      else if (event.type === 'form-end') end(event.formId, event.action, event.by);
    },
    async takeOpen() {
      for (const approval of await orNone(client.approvals(sessionId))) poseApproval(approval);
      for (const form of await orNone(client.forms(sessionId))) poseForm(form);
    },
    close() {
      for (const controller of open.values()) controller.abort();
    },
  };
}

/** The session of a question as a front end needs it: whose it is, the server knows. */
const NOBODYS = { tenant: '', channel: '', chatId: '', user: '', roots: [] } as const;

/** Where an "always" holds. A server that is away just now is not waited for. */
function rootsOf(client: ApiClient, sessionId: string): Promise<readonly string[]> {
  return client.getSession(sessionId).then(
    ({ roots }) => roots,
    () => [],
  );
}

/** Another process may have the turn, and not say what it asks: the events of its questions come all the same. */
async function orNone<Question>(questions: Promise<readonly Question[]>): Promise<readonly Question[]> {
  try {
    return await questions;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RUNS_ELSEWHERE') return [];
    throw error;
  }
}

/** A server that is away for a while gets the answer later; one that was given by somebody else is none of ours. */
async function untilSent(abortSignal: AbortSignal, send: () => Promise<void>): Promise<void> {
  while (!abortSignal.aborted) {
    try {
      return await send();
    } catch (error) {
      if (abortSignal.aborted || (error instanceof ApiError && error.status === 404)) return;
      if (!(error instanceof ApiError) || !error.isPassing) throw error;
      await sleep(RETRY_MS, undefined, { signal: abortSignal }).catch(() => undefined);
    }
  }
}
