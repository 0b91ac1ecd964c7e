import type { HookEventName, HookExtra, Session } from '@toolpost/protocol';
import type { HookEvent } from '../runtimes/runtime.ts';
import { hookOutput } from './hook-output.ts';
import type { HookRunner } from './run-hooks.ts';

/** The last hooks of a session hold up the end of a host for at most this long. */
const END_DEADLINE_MS = 2000;

/** What a turn knows of its session's model. */
export type TurnFacts = Pick<HookExtra, 'model' | 'maxContext'>;

export interface GivenPrompt {
  readonly text: string;
  /** Something was said in the session before. */
  readonly isResumed: boolean;
  readonly facts: TurnFacts;
}

export interface StoppedTurn {
  /** The last answer, or why the turn stopped. */
  readonly text: string;
  readonly reason: string;
  readonly extra: HookExtra;
}

/** Who wants a conversation to be summarised. */
export type CompactReason = 'asked' | 'too-long';

/** Calls the hooks of what happens in a session beside its calls. Never rejects; what fails is warned of. */
export interface SessionHooks {
  /**
   * `SessionStart`, before the first turn of the session in this host, then `UserPromptSubmit`. Why the model must not get
   * the prompt, where a hook denies one of them, or asks: nobody but the user could answer, who has just said it.
   */
  promptSubmitted(session: Session, prompt: GivenPrompt, abortSignal: AbortSignal): Promise<string | undefined>;
  /** `AgentStop`: a turn has ended. */
  agentStopped(session: Session, turn: StoppedTurn): Promise<void>;
  /** `PreCompact`: why the conversation must stay as it is. */
  compacting(session: Session, compaction: Compacting): Promise<string | undefined>;
  /** `PostCompact`: a summary stands in its place. */
  compacted(session: Session, compaction: Omit<Compacting, 'abortSignal'>): Promise<void>;
  /** `SessionEnd` of one that was deleted, where its start was told of. */
  deleted(session: Session): Promise<void>;
  /** `SessionEnd` of all whose start was told of: the host closes. */
  close(): Promise<void>;
}

export interface Compacting {
  readonly reason: CompactReason;
  readonly facts: TurnFacts;
  readonly abortSignal: AbortSignal;
}

export function createSessionHooks(hooks: HookRunner, warn: (message: string) => void): SessionHooks {
  const started = new Map<string, Session>();

  /** Why not, where a hook does not just let it go on. */
  async function ask(event: HookEvent, abortSignal?: AbortSignal, timeoutMs?: number): Promise<string | undefined> {
    const { decision, message, messages, warnings } = await hooks.run(event, abortSignal, timeoutMs);
    const isRefused = decision === 'deny' || decision === 'ask';
    // A failure that denies is told of as the refusal; but nobody hears the refusal of what the caller gave up.
    const told = isRefused && !abortSignal?.aborted ? messages : [];
    for (const warning of warnings) if (!told.includes(warning)) warn(warning);
    return isRefused ? message || 'it gave no reason' : undefined;
  }

  async function start(session: Session, { isResumed, facts }: GivenPrompt, abortSignal: AbortSignal) {
    const isHeard = hooks.hasHooks('SessionStart', '') || hooks.hasHooks('SessionEnd', '');
    if (!isHeard || started.has(session.id)) return undefined;
    const event = eventOf('SessionStart', session, { reason: isResumed ? 'resumed' : 'new', extra: facts });
    const why = await ask(event, abortSignal);
    if (why === undefined) started.set(session.id, session);
    return why;
  }

  async function end(session: Session, reason: 'closed' | 'deleted'): Promise<void> {
    if (started.delete(session.id)) await ask(eventOf('SessionEnd', session, { reason }), undefined, END_DEADLINE_MS);
  }

  return {
    async promptSubmitted(session, prompt, abortSignal) {
      const atStart = await start(session, prompt, abortSignal);
      if (atStart !== undefined) return `A hook keeps this session from starting: ${atStart}`;
      const event = eventOf('UserPromptSubmit', session, { prompt: prompt.text, extra: prompt.facts });
      const why = await ask(event, abortSignal);
      return why === undefined ? undefined : `A hook does not let the model have this prompt: ${why}`;
    },
    async agentStopped(session, { text, reason, extra }) {
      await ask(eventOf('AgentStop', session, { toolOutput: hookOutput(text), reason, extra }));
    },
    compacting: (session, { reason, facts, abortSignal }) =>
      ask(eventOf('PreCompact', session, { reason, extra: facts }), abortSignal),
    async compacted(session, { reason, facts }) {
      await ask(eventOf('PostCompact', session, { reason, extra: facts }));
    },
    deleted: (session) => end(session, 'deleted'),
    async close() {
      await Promise.all([...started.values()].map((session) => end(session, 'closed')));
    },
  };
}

function eventOf(event: HookEventName, session: Session, more: Partial<HookEvent>): HookEvent {
  const { id, channel, chatId, tenant, user } = session;
  return { event, toolName: '', toolInput: '', session: { id, channel, chatId, tenant, user }, ...more };
}
