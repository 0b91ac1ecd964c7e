import type { JsonObject } from '@toolpost/protocol';
import type { HookAnswer } from '../runtimes/runtime.ts';
import { DECISIONS } from './hook-answer.ts';

/** What all hooks of an event said together. */
export interface HookVerdict {
  readonly decision: HookAnswer['decision'];
  /** Every message, those of the strongest decision first, then in the order of the plugins. */
  readonly messages: readonly string[];
  /** `messages`, joined by `; `. */
  readonly message: string;
  /** The arguments that the first plugin gave that changed them. Absent when the decision is `deny`. */
  readonly updatedInput?: JsonObject;
  /** One sentence for each hook that failed or did not answer in time. */
  readonly warnings: readonly string[];
}

/** One hook's answer, or why there is none; `denies` when its failure counts as a deny. */
export type HookReply = { readonly answer: HookAnswer } | { readonly failure: string; readonly denies: boolean };

export const NO_HOOKS: HookVerdict = Object.freeze({
  decision: 'allow',
  messages: Object.freeze([]),
  message: '',
  warnings: Object.freeze([]),
});

/** Takes the replies together, in the order of the plugins: deny > ask > defer > allow. */
export function judgeReplies(replies: readonly HookReply[]): HookVerdict {
  const answers = replies.flatMap((reply) => {
    if ('answer' in reply) return [reply.answer];
    return reply.denies ? [{ decision: 'deny', message: reply.failure } satisfies HookAnswer] : [];
  });
  const decision = DECISIONS.find((one) => answers.some((answer) => answer.decision === one)) ?? 'allow';
  const messages = DECISIONS.flatMap((one) =>
    answers.flatMap((answer) => (answer.decision === one && answer.message !== undefined ? [answer.message] : [])),
  );
  const updated = decision === 'deny' ? undefined : answers.find(({ updatedInput }) => updatedInput)?.updatedInput;
  return {
    decision,
    messages,
    message: messages.join('; '),
    ...(updated ? { updatedInput: updated } : {}),
    warnings: replies.flatMap((reply) => ('failure' in reply ? [reply.failure] : [])),
  };
}
