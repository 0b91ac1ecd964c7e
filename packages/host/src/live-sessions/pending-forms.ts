import { type JsonObject, messageOf } from '@toolpost/protocol';
import type { Ask, FormAnswer } from '../call-path/ask-form.ts';
import { compileSchema } from '../call-path/compile-schema.ts';
import type { AnswerReceipt, FilledForm, PendingForm } from './live-session.ts';
import { PendingQuestions } from './pending-questions.ts';

export interface PendingForms {
  /** Asks the session's user through whichever client answers first. */
  readonly ask: Ask;
  list(): readonly PendingForm[];
  /** `misfit` says what of it does not fit the form's schema; the form stands then. */
  answer(formId: string, given: FilledForm): Promise<AnswerReceipt | { readonly misfit: string }>;
}

/** The forms of tools in one session that wait for `owner`, its user. */
export function createPendingForms(owner: string, timeoutMs: number): PendingForms {
  const questions = new PendingQuestions<PendingForm, FormAnswer>(owner, timeoutMs);
  const ask: Ask = (_form, { abortSignal, ...shown }) => {
    const gone = { action: 'cancel', by: 'the host' } as const;
    return questions.ask({ id: shown.formId, shown, abortSignal, whenGone: gone, whenLate: gone });
  };
  return {
    ask: Object.assign(ask, { timeoutMs }),
    list: () => questions.list(),
    async answer(formId, { user, action, by, content = {} }) {
      const form = questions.find(formId, user);
      if (typeof form === 'string') return form;
      if (action !== 'accept') return questions.answer(formId, user, { action, by });
      const misfit = await misfitOf(form.schema, content);
      return misfit === undefined ? questions.answer(formId, user, { action, by, content }) : { misfit };
    },
  };
}

/** What a tool made no usable schema for is taken as it is. */
async function misfitOf(schema: JsonObject, content: JsonObject): Promise<string | undefined> {
  const validate = await compileSchema(schema).catch(() => undefined);
  try {
    if (!validate || validate(content)) return undefined;
  } catch (error) {
    return messageOf(error);
  }
  const problems = validate.errors?.map(({ instancePath, message }) => {
    return `${instancePath.slice(1) || 'content'} ${message ?? 'does not fit'}`;
  });
  return problems?.slice(0, 10).join('; ') ?? 'it does not fit';
}
