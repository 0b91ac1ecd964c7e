import { type EventBody, HostError, type Session, type ToolpostEvent } from '@toolpost/protocol';
import { type HistoryMessage, repairHistory } from '../agent/history.ts';
import type { TurnResult } from '../agent/run-turn.ts';
import { NO_USAGE } from '../agent/turn-usage.ts';
import type { EventPage, SessionUsage, StoredSession } from '../sessions/session-store.ts';
import { AppRequests } from './app-requests.ts';
import { sayingWhose, seenFirst, warnOfLostRoots } from './around-a-turn.ts';
import { CallStarts } from './call-starts.ts';
import { createElsewhere } from './elsewhere.ts';
import { GrantedSession } from './granted-session.ts';
import type { Elsewhere, LiveSession, LiveTurnOptions } from './live-session.ts';
import type { LiveSurroundings } from './live-surroundings.ts';
import { createPendingApprovals, type PendingApprovals } from './pending-approvals.ts';
import { createPendingForms, type PendingForms } from './pending-forms.ts';
import { seenBefore } from './seen-before.ts';
import { SessionAgent } from './session-agent.ts';
import { SessionLog } from './session-log.ts';
import { createTurnQueue, type TurnQueue } from './turn-queue.ts';
import { UiActions } from './ui-actions.ts';
import { UnbegunTurns } from './unbegun-turns.ts';

/** One session in this host. It holds no conversation between turns: the store has it, also when another process changed it. */
export class OpenSession implements LiveSession {
  readonly epoch: string;
  readonly elsewhere: Elsewhere;
  readonly #around: LiveSurroundings;
  readonly #log: SessionLog;
  readonly #approvals: PendingApprovals;
  readonly #forms: PendingForms;
  readonly #callStarts: CallStarts;
  readonly #uiActions: UiActions;
  readonly #appRequests: AppRequests;
  readonly #unbegun: UnbegunTurns;
  readonly #queue: TurnQueue = createTurnQueue();
  readonly #granted: GrantedSession;
  readonly #agent: SessionAgent;

  constructor(around: LiveSurroundings, { session, epoch, lastSeq }: StoredSession) {
    this.epoch = epoch;
    this.#around = around;
    this.#granted = new GrantedSession(around.host, session);
    this.#agent = new SessionAgent(around, this);
    const { store, writer, host, approvalTimeoutMs, onReaders } = around;
    this.elsewhere = createElsewhere(store, session.id);
    if (lastSeq > 0) host.recallFiles(session, () => seenBefore(store, session.id));
    this.#log = new SessionLog({
      ...{ id: session.id, store, writer, lastSeq },
      onReaders: (hasReaders) => onReaders(this, hasReaders),
      onFailure: () => this.#queue.cancelRunning(),
    });
    this.#unbegun = new UnbegunTurns(this.#log, () => around.hold(this));
    this.#approvals = createPendingApprovals(session.user, host.redact, approvalTimeoutMs);
    this.#forms = createPendingForms(session.user, approvalTimeoutMs);
    const lent = {
      ...{ host, say: this.#log.sayNow },
      session: () => this.session,
      events: (page: EventPage) => this.events(page),
    };
    this.#callStarts = new CallStarts({ events: lent.events, lastSeq: () => store.get(session.id)?.lastSeq ?? 0 });
    this.#uiActions = new UiActions({ ...lent, callStarts: this.#callStarts });
    this.#appRequests = new AppRequests({ ...lent, approve: this.#approvals.approve, ask: this.#forms.ask });
  }

  get session(): Session {
    return this.#granted.session;
  }

  get id(): string {
    return this.session.id;
  }

  get title(): string {
    return this.stored.title;
  }

  get model(): string {
    return this.#agent.model;
  }

  get usage(): SessionUsage {
    return this.#around.store.usage(this.id);
  }

  get lastSeq(): number {
    return this.stored.lastSeq;
  }

  get openTurns(): number {
    return this.#queue.size;
  }

  /** @throws HostError SESSION_NOT_FOUND when it was deleted. */
  get stored(): StoredSession {
    const stored = this.#around.store.get(this.id);
    if (stored) return stored;
    throw new HostError('SESSION_NOT_FOUND', `the session ${this.id} was deleted`);
  }

  async checkModel(): Promise<void> {
    await this.#agent.get();
  }

  history(): readonly HistoryMessage[] {
    return repairHistory(this.#around.store.history(this.id));
  }

  async turn(text: string, options: LiveTurnOptions = {}): Promise<TurnResult> {
    this.#around.assertOpen();
    const whole = text.toWellFormed();
    const { uiAction } = options;
    const turn = this.#queued(options.abortSignal, (abortSignal) => this.#turn(whole, { ...options, abortSignal }));
    return uiAction ? turn.finally(() => this.#uiActions.released(uiAction.actionId)) : turn;
  }

  cancel(): number {
    return this.#queue.cancel();
  }

  pendingApprovals() {
    return this.#approvals.list();
  }

  answerApproval: LiveSession['answerApproval'] = (approvalId, answer) => this.#approvals.answer(approvalId, answer);

  pendingForms() {
    return this.#forms.list();
  }

  answerForm: LiveSession['answerForm'] = (formId, answer) => this.#forms.answer(formId, answer);

  handleUiAction: LiveSession['handleUiAction'] = async (
    action,
    { abortSignal = new AbortController().signal } = {},
  ) => {
    this.#around.assertOpen();
    return this.#uiActions.handle(action, abortSignal);
  };

  handleAppRequest: LiveSession['handleAppRequest'] = async (
    request,
    { abortSignal = new AbortController().signal } = {},
  ) => {
    this.#around.assertOpen();
    return this.#held(() => this.#appRequests.handle(request, abortSignal));
  };

  takeUiAction: LiveSession['takeUiAction'] = (actionId) => this.#uiActions.take(actionId);

  events(page?: EventPage): ToolpostEvent[] {
    return this.#around.store.events(this.id, page);
  }

  follow: LiveSession['follow'] = (options = {}) => {
    this.#log.catchUp();
    return this.#log.tail.follow(options);
  };

  subscribe: LiveSession['subscribe'] = (options, listener) => {
    this.#log.catchUp();
    return this.#log.tail.subscribe(options, listener);
  };

  rename(title: string): void {
    this.#around.store.update(this.id, { title });
  }

  async setModel(model: string): Promise<void> {
    this.#around.assertOpen();
    await this.#agent.get(model);
    this.#around.store.update(this.id, { model });
  }

  async clear(): Promise<void> {
    this.#around.assertOpen();
    await this.#queued(undefined, (abortSignal) =>
      this.#log.alone(abortSignal, async () => {
        this.#log.add({ type: 'history', messages: [] });
        this.#log.say({
          type: 'warning',
          message: 'The conversation was cleared: the model no longer knows what was said.',
        });
      }),
    );
  }

  async compact({ abortSignal }: { abortSignal?: AbortSignal | undefined } = {}): Promise<boolean> {
    this.#around.assertOpen();
    const done = await this.#queued(abortSignal, async (signal) => {
      const agent = await this.#agent.get();
      return this.#log.alone(signal, async () => {
        const options = { abortSignal: signal, onEvent: this.#log.say };
        const { messages } = await agent.compact(this.history(), options);
        if (messages) this.#log.add({ type: 'history', messages: messages.map(this.#around.mask) });
        return messages !== undefined;
      });
    });
    return done === true;
  }

  async fork(): Promise<LiveSession> {
    this.#around.assertOpen();
    this.#log.flush();
    return this.#around.fork(this);
  }

  /** Closes a turn that a killed host left open, so that clients see its end. */
  closeInterrupted(): void {
    if (this.#queue.size === 0) this.#log.closeInterrupted();
  }

  /** Says what happens in this host, unless another one runs the session's turn. What cannot be stored is not said. */
  tell(body: EventBody): void {
    try {
      if (this.stored.openTurn?.pidElsewhere === undefined) this.#log.sayNow(body);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
    }
  }

  /** Tells of turns that were cancelled before they could begin, once the session is free. */
  tellUnbegun(): void {
    this.#unbegun.tell();
  }

  /** Looks for what another process has stored. */
  catchUp(): void {
    this.#log.catchUp();
  }

  get areRootsGiven(): boolean {
    return this.#granted.areRootsGiven;
  }

  /** These roots, from the next turn on, given by whoever runs this host. */
  grant(roots: readonly string[]): void {
    if (this.#granted.give(roots)) this.#agent.forget();
  }

  /** Resolves when no turn runs or waits. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  /** Ends its readers. */
  end(): void {
    this.#unbegun.end();
    this.#log.tail.end();
  }

  async #turn(text: string, options: LiveTurnOptions & { abortSignal: AbortSignal }): Promise<TurnResult> {
    const { model, approve, ask, abortSignal, timeoutMs, uiAction } = options;
    const result = await this.#log.alone(abortSignal, async () => {
      this.#unbegun.tellNow();
      // Another process may have changed it while this turn waited.
      if (this.#granted.renew(this.stored.session.roots)) this.#agent.forget();
      const agent = await this.#agent.get(model);
      this.#agent.keep(agent.model, model !== undefined);
      warnOfLostRoots(this.#log.say, this.#granted.kept, this.session);
      const notes = this.#uiActions.openNotes();
      const flush = () => this.#log.flush();
      const turn = agent.turn(text, {
        ...{ history: this.history(), abortSignal, timeoutMs, onEvent: sayingWhose(this.#log.say, options) },
        ...{ notes, isFromInterface: uiAction !== undefined },
        usedCallIds: () => this.#callStarts.ids(),
        onMessage: (message) => this.#log.add({ type: 'message', message: this.#around.mask(message) }),
        onRewrite: (messages) => this.#log.add({ type: 'history', messages: messages.map(this.#around.mask) }),
        approve: seenFirst(approve === 'clients' ? this.#approvals.approve : approve, flush),
        ask: seenFirst(ask === 'clients' ? this.#forms.ask : ask, flush),
      });
      return turn.finally(notes.close);
    });
    if (result) return result;
    // The card of an interface may be sent again: its turn has not begun.
    if (!uiAction) this.#unbegun.add({ text: this.#around.host.redact(text), turnId: options.turnId });
    return { reason: 'cancelled', text: '', messages: [...this.history()], usage: NO_USAGE };
  }

  /** Work that waits for what was asked for before. */
  #queued<T>(abortSignal: AbortSignal | undefined, work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#held(() => this.#queue.run(abortSignal, work));
  }

  /** What other processes ask of a session is heard while it is held. */
  async #held<T>(work: () => Promise<T>): Promise<T> {
    const release = this.#around.hold(this);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
