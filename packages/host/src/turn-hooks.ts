import type { Session } from '@toolpost/protocol';
import type { CompactionWatch } from './agent/make-room.ts';
import type { TurnResult } from './agent/run-turn.ts';
import { settledOrAborted } from './call-path/settled-or-aborted.ts';
import type { CompactReason, SessionHooks } from './hooks/session-hooks.ts';

/** The part that hooks have in the turns of an agent. */
export interface TurnHooks {
  /** Why the model must not get a prompt. */
  admit(prompt: { readonly text: string; readonly isResumed: boolean }): Promise<string | undefined>;
  compaction(reason: CompactReason): CompactionWatch;
  /** Resolves when they have heard of the end, or its caller is gone. */
  stopped(result: TurnResult): Promise<void>;
}

export interface TurnHookParts {
  readonly sessionHooks: SessionHooks;
  readonly session: Session;
  /** The specification of the model. */
  readonly model: string;
  /** What its context takes, where the user has said it. */
  readonly contextTokens: number | undefined;
}

/** For one turn, or one summary, which `abortSignal` cancels. */
export function createTurnHooks(
  { sessionHooks, session, model, contextTokens }: TurnHookParts,
  abortSignal: AbortSignal,
): TurnHooks {
  const facts = { model, ...(contextTokens !== undefined && { maxContext: contextTokens }) };
  return {
    admit: (prompt) => sessionHooks.promptSubmitted(session, { ...prompt, facts }, abortSignal),
    compaction: (reason) => ({
      before: () => sessionHooks.compacting(session, { reason, facts, abortSignal }),
      after: () => settledOrAborted(sessionHooks.compacted(session, { reason, facts }), abortSignal),
    }),
    stopped({ text, reason, usage }) {
      const counted = { promptTokens: usage.inputTokens, compTokens: usage.outputTokens };
      const told = sessionHooks.agentStopped(session, { text, reason, extra: { ...facts, ...counted } });
      return settledOrAborted(told, abortSignal);
    },
  };
}
