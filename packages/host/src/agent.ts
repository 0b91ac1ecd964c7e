import type { EventBody, Session } from '@toolpost/protocol';
import type { Compaction } from './agent/compact-conversation.ts';
import type { HistoryMessage } from './agent/history.ts';
import type { TurnResult } from './agent/run-turn.ts';
import { systemPrompt } from './agent/system-prompt.ts';
import { NO_USAGE, sumOf, type TurnUsage } from './agent/turn-usage.ts';
import { isInside } from './builtin/confine-path.ts';
import type { Approver } from './call-path/approver.ts';
import type { Ask } from './call-path/ask-form.ts';
import { maskedEvents } from './call-path/masked-events.ts';
import type { Host } from './host.ts';
import { FAMILY_FACTS, familyOf } from './models/schemas/provider-family.ts';
import { offeredTools } from './offered-tools.ts';
import { createWireNames } from './registry/wire-names.ts';
import { createTurnHooks, type TurnHooks } from './turn-hooks.ts';

export interface AgentOptions {
  readonly host: Host;
  readonly session: Session;
  /** A model specification; the configuration's `model`, else `demo`, when absent. */
  readonly model?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The conversation so far. */
  readonly history?: readonly HistoryMessage[];
  /** What the model's context takes; the configuration's, else 200,000, when absent. A provider that refuses less is believed. */
  readonly contextTokens?: number | undefined;
  /** How long the provider may send no byte before its connection counts as dead, in ms; 4 minutes when absent. */
  readonly modelIdleMs?: number | undefined;
}

export interface AgentTurnOptions {
  /** Takes the place of the conversation so far. */
  readonly history?: readonly HistoryMessage[];
  readonly abortSignal: AbortSignal;
  readonly onEvent: (event: EventBody) => void;
  /** Answers permission questions; without it an unanswered one is a deny. */
  readonly approve?: Approver | undefined;
  readonly ask?: Ask | undefined;
  /** Shortens the limit of each call, in ms. */
  readonly timeoutMs?: number | undefined;
  /** What came meanwhile from interfaces, for the model to read. */
  readonly notes?: TurnNotes | undefined;
  /** The text is what an interface said, and not the user: no yes that was given before counts in this turn. */
  readonly isFromInterface?: boolean | undefined;
  /** Ids of calls that were before the conversation so far. */
  readonly usedCallIds?: (() => Iterable<string>) | undefined;
  /** Called with each message as it joins the history, so that a turn that is killed can be continued from there. */
  readonly onMessage?: (message: HistoryMessage) => void;
  /** Called with the whole history when an earlier part of it was changed to make room: it replaces what was kept. */
  readonly onRewrite?: (messages: readonly HistoryMessage[]) => void;
}

/** Notes for the turn that runs. From the first that is taken on, what the model does may be an interface's doing. */
export interface TurnNotes {
  take(): readonly string[];
  readonly wereTaken: boolean;
}

/** An agent in one session: a model, the session's tools, and the conversation between them. */
export interface Agent {
  readonly model: string;
  /** Tokens of all turns so far, as far as the provider counts them. */
  readonly usage: TurnUsage;
  /** Runs one turn, after the one that runs already. Never rejects for what a model or a tool did: its events and its reason say it. */
  turn(text: string, options: AgentTurnOptions): Promise<TurnResult>;
  /** Has the model put a summary in place of a conversation. Never rejects for what the model did: its events say it. */
  compact(
    conversation: readonly HistoryMessage[],
    options: Pick<AgentTurnOptions, 'abortSignal' | 'onEvent'>,
  ): Promise<Compaction>;
}

/** The model specification that counts when none is given. */
export function defaultModelOf(host: Host): string {
  return host.settings.model ?? 'demo';
}

/** @throws HostError MODEL_FAILED for a model that is unknown or lacks its key. */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  const { host, session, environment = process.env } = options;
  const spec = options.model ?? defaultModelOf(host);
  // A command that only calls a tool does not load the loop.
  const [{ resolveModel }, { runTurn }, { compactConversation }] = await Promise.all([
    import('./models/resolve-model.ts'),
    import('./agent/run-turn.ts'),
    import('./agent/compact-conversation.ts'),
  ]);
  const { telemetry } = host;
  const resolved = await resolveModel(spec, { environment, idleMs: options.modelIdleMs });
  const model = telemetry ? telemetry.watch(resolved) : resolved;
  const contextTokens = options.contextTokens ?? host.settings.contextTokens;
  const { maxSteps } = host.settings;
  const hooksUnder = (abortSignal: AbortSignal): TurnHooks =>
    createTurnHooks({ sessionHooks: host.sessionHooks, session, model: spec, contextTokens }, abortSignal);
  let history: readonly HistoryMessage[] = options.history ?? [];
  let usage = NO_USAGE;
  let last: Promise<unknown> = Promise.resolve();

  async function run(text: string, turnOptions: AgentTurnOptions): Promise<TurnResult> {
    const { abortSignal, onEvent: listener, onMessage, onRewrite, history: given, ...more } = turnOptions;
    const { notes, isFromInterface, usedCallIds, ...callOptions } = more;
    if (given) history = given;
    const onEvent = maskedEvents(listener, host.redact);
    const snapshot = await host.listTools(session);
    const maxTools = host.settings.maxTools ?? FAMILY_FACTS[familyOf(model)].maxTools;
    const { tools, warnings } = offeredTools(snapshot, maxTools);
    const hooks = hooksUnder(abortSignal);
    const result = await runTurn({
      ...{ model, history, text, tools, abortSignal, onEvent },
      ...(onMessage && { onMessage }),
      ...(onRewrite && { onRewrite }),
      wireNames: createWireNames(tools.map(({ name }) => name)),
      systemPrompt: () => createSystemPrompt({ host, session, abortSignal }, { warnings, onEvent }),
      callTool: (call, round) => {
        const ignoresRemembered = isFromInterface === true || notes?.wereTaken === true;
        return host.callTool(call, session, { ...callOptions, ...round, snapshot, ignoresRemembered });
      },
      ...(notes && { takeNotes: () => notes.take() }),
      usedCallIds,
      admit: () => hooks.admit({ text, isResumed: history.length > 0 }),
      compaction: hooks.compaction('too-long'),
      ...(maxSteps !== undefined && { maxSteps }),
      contextTokens,
      keepText: (callId, whole) => host.keepText(session, callId, whole),
    });
    history = result.messages;
    usage = sumOf(usage, result.usage);
    const told = { ...result, text: host.redact(result.text) };
    await hooks.stopped(told);
    return told;
  }

  return {
    model: spec,
    get usage() {
      return usage;
    },
    turn(text, turnOptions) {
      // Two turns at once would each continue a history without the other.
      const turn = last.then(() =>
        telemetry ? telemetry.turn({ session, model: spec }, () => run(text, turnOptions)) : run(text, turnOptions),
      );
      last = turn.catch(() => undefined);
      return turn;
    },
    compact: (conversation, { abortSignal, onEvent }) =>
      compactConversation({
        ...{ model, history: conversation, abortSignal },
        compaction: hooksUnder(abortSignal).compaction('asked'),
        onEvent: maskedEvents(onEvent, host.redact),
      }),
  };
}

/** Asked for once the turn has started, so that the warnings stand inside it. */
async function createSystemPrompt(
  { host, session, abortSignal }: { host: Host; session: Session; abortSignal: AbortSignal },
  { warnings, onEvent }: { warnings: readonly string[]; onEvent: AgentTurnOptions['onEvent'] },
): Promise<string> {
  const additions = await host.enrichContext(session, abortSignal);
  for (const message of [...warnings, ...additions.warnings]) onEvent({ type: 'warning', message });
  return systemPrompt({
    roots: session.roots,
    // What the session may not read tells it nothing either.
    instructions: host.projectInstructions.filter(({ root }) => session.roots.some((one) => isInside(one, root))),
    additions: additions.text,
  });
}
