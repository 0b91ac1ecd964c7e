import { setTimeout as sleep } from 'node:timers/promises';
import { HostError, type JsonObject } from '@toolpost/protocol';
import { readLog } from '../sessions/read-log.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type {
  AnswerReceipt,
  Elsewhere,
  FilledForm,
  GivenAnswer,
  LiveSession,
  PendingApproval,
  PendingForm,
} from './live-session.ts';

/** The other process looks five times a second; one that is busy or stopped is not waited for any longer. */
const PATIENCE_MS = 5000;
const POLL_MS = 40;

type RelayedAct =
  | { readonly act: 'cancel' }
  | { readonly act: 'questions' }
  | { readonly act: 'answer-approval'; readonly id: string; readonly given: GivenAnswer }
  | { readonly act: 'end-form'; readonly id: string; readonly given: FilledForm };

/** Does here what another process of the home asks of a turn of this one. It has checked whose request it is. */
export async function answerRelayed(session: LiveSession, request: JsonObject): Promise<JsonObject> {
  const asked = request as unknown as RelayedAct;
  switch (asked.act) {
    case 'cancel':
      return { cancelled: session.cancel() };
    case 'questions':
      return { approvals: session.pendingApprovals(), forms: session.pendingForms() };
    case 'answer-approval':
      return { receipt: session.answerApproval(asked.id, asked.given) };
    case 'end-form':
      return { receipt: await session.answerForm(asked.id, asked.given) };
    default:
      // Of a newer Toolpost.
      return { isUnknown: true };
  }
}

/** What can be done here about the turn of a session that another process of the home runs. */
export function createElsewhere(store: SessionStore, id: string, patienceMs = PATIENCE_MS): Elsewhere {
  const relay = (act: RelayedAct) => askElsewhere({ store, id, patienceMs }, act);

  async function questions() {
    const { approvals = [], forms = [] } = (await relay({ act: 'questions' })) ?? {};
    return { approvals: approvals as PendingApproval[], forms: forms as PendingForm[] };
  }

  async function receiptOf(questionId: string, act: RelayedAct): Promise<AnswerReceipt> {
    const receipt = ((await relay(act))?.receipt ?? 'gone') as AnswerReceipt;
    const pid = receipt === 'gone' ? askingPid(store, id, questionId) : undefined;
    if (pid === undefined) return receipt;
    throw runsElsewhere(`process ${pid} of this home asks this at its own terminal: answer there`);
  }

  return {
    cancel: async () => Number((await relay({ act: 'cancel' }))?.cancelled ?? 0),
    questions,
    answerApproval: (approvalId, given) => receiptOf(approvalId, { act: 'answer-approval', id: approvalId, given }),
    async answerForm(formId, { content: _, ...given }) {
      if (given.action !== 'accept') return receiptOf(formId, { act: 'end-form', id: formId, given });
      const pid = askingPid(store, id, formId);
      if (pid === undefined) return 'gone';
      // It would stand in the database, and be found there later.
      throw runsElsewhere(
        `the form waits in process ${pid} of this home, and what is filled in is handed on through no file: fill it in at that process or its server, or decline it here`,
      );
    },
  };
}

interface Asking {
  readonly store: SessionStore;
  readonly id: string;
  readonly patienceMs: number;
}

/** The answer of the process that runs the session's turn; undefined when none does, or no longer. */
async function askElsewhere({ store, id, patienceMs }: Asking, act: RelayedAct): Promise<JsonObject | undefined> {
  const pid = store.get(id)?.openTurn?.pidElsewhere;
  const request = pid === undefined ? undefined : store.relay.ask(id, { ...act });
  if (request === undefined) return undefined;
  let answer: JsonObject | undefined;
  try {
    const until = performance.now() + patienceMs;
    while (performance.now() < until && store.get(id)?.openTurn?.pidElsewhere === pid) {
      answer = store.relay.answerTo(request);
      if (answer) break;
      await sleep(POLL_MS);
    }
  } finally {
    answer = store.relay.end(request) ?? answer;
  }
  if (answer && !answer.isUnknown) return answer;
  if (!answer && store.get(id)?.openTurn?.pidElsewhere !== pid) return undefined;
  throw runsElsewhere(`process ${pid} of this home runs this turn and does not answer: end it there, or that process`);
}

/** The process that asks a question which the log says is open. */
function askingPid(store: SessionStore, id: string, questionId: string): number | undefined {
  const { startSeq = 0, pidElsewhere } = store.get(id)?.openTurn ?? {};
  if (pidElsewhere === undefined || startSeq === 0) return undefined;
  const about = { types: ['approval-request', 'approval-end', 'form-request', 'form-end'] };
  let isOpen = false;
  for (const event of readLog((page) => store.events(id, { ...page, about }), startSeq)) {
    if (event.type === 'approval-request' || event.type === 'approval-end') {
      if (event.approvalId === questionId) isOpen = event.type === 'approval-request';
    } else if (event.type === 'form-request' || event.type === 'form-end') {
      if (event.formId === questionId) isOpen = event.type === 'form-request';
    }
  }
  return isOpen ? pidElsewhere : undefined;
}

function runsElsewhere(message: string): HostError {
  return new HostError('RUNS_ELSEWHERE', message);
}
