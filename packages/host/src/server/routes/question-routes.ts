import { answerApprovalSchema, answerFormSchema, approvalListSchema, formListSchema } from '@toolpost/protocol/schemas';
import type { AnswerReceipt } from '../../live-sessions/live-session.ts';
import type { Principal } from '../principal.ts';
import { Problem } from '../problem.ts';
import { defineRoute, type Route } from '../route.ts';
import { ownSession, type ServerParts } from '../server-parts.ts';

const PATH = '/api/sessions/{id}';
const NOT_FOUND = ['SESSION_NOT_FOUND'] as const;
const LIST_ERRORS = [...NOT_FOUND, 'RUNS_ELSEWHERE'] as const;
const ERRORS = [...LIST_ERRORS, 'NOT_FOUND', 'FORBIDDEN'] as const;
const TAKEN = { status: 204, description: 'The answer counts.' } as const;

/** What waits for the session's user: whether a call may run, and what a tool wants to know. */
export function questionRoutes(parts: ServerParts): readonly Route[] {
  return [...approvalRoutes(parts), ...formRoutes(parts)];
}

function approvalRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${PATH}/approvals`,
      summary: 'List the questions that wait for you',
      tag: 'approvals',
      answer: { status: 200, description: 'The oldest first.', schema: approvalListSchema },
      errors: LIST_ERRORS,
      async handle({ params: { id = '' }, principal }) {
        const live = await ownSession(parts, id, principal);
        return { approvals: [...live.pendingApprovals(), ...(await live.elsewhere.questions()).approvals] };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/approvals/{approvalId}`,
      summary: 'Answer a question: whether a call may run',
      tag: 'approvals',
      body: answerApprovalSchema,
      answer: TAKEN,
      errors: ERRORS,
      async handle({ params: { id = '', approvalId = '' }, body: { answer, reason }, principal }) {
        const live = await ownSession(parts, id, principal);
        const { user } = principal;
        const given = { answer, user, by: nameOf(principal), ...(reason !== undefined && { reason }) };
        const receipt = live.answerApproval(approvalId, given);
        assertTaken(receipt === 'gone' ? await live.elsewhere.answerApproval(approvalId, given) : receipt, approvalId);
      },
    }),
  ];
}

function formRoutes(parts: ServerParts): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${PATH}/forms`,
      summary: 'List the forms of tools that wait for you to fill them in',
      tag: 'approvals',
      answer: { status: 200, description: 'The oldest first.', schema: formListSchema },
      errors: LIST_ERRORS,
      async handle({ params: { id = '' }, principal }) {
        const live = await ownSession(parts, id, principal);
        return { forms: [...live.pendingForms(), ...(await live.elsewhere.questions()).forms] };
      },
    }),
    defineRoute({
      method: 'post',
      path: `${PATH}/forms/{formId}`,
      summary: 'Fill in the form of a tool, decline it, or cancel',
      tag: 'approvals',
      body: answerFormSchema,
      answer: TAKEN,
      errors: ERRORS,
      async handle({ params: { id = '', formId = '' }, body: { action, content }, principal }) {
        const live = await ownSession(parts, id, principal);
        const given = { action, user: principal.user, by: nameOf(principal), content };
        const receipt = await live.answerForm(formId, given);
        if (typeof receipt === 'object')
          throw new Problem(400, 'REQUEST_INVALID', `what was filled in does not fit the form: ${receipt.misfit}`);
        assertTaken(receipt === 'gone' ? await live.elsewhere.answerForm(formId, given) : receipt, formId);
      },
    }),
  ];
}

function nameOf({ tenant, user }: Principal): string {
  return user || tenant || 'the operator';
}

function assertTaken(receipt: AnswerReceipt, id: string): void {
  if (receipt === 'not-yours') throw new Problem(403, 'FORBIDDEN', "only the session's own user answers");
  if (receipt === 'gone')
    throw new Problem(404, 'NOT_FOUND', `nobody asks ${JSON.stringify(id)}: it was answered, or is asked no more`);
}
