import { HostError, type Session, type ToolpostEvent } from '@toolpost/protocol';
import { type HistoryMessage, repairHistory } from '../agent/history.ts';
import type { TurnResult } from '../agent/run-turn.ts';
import { NO_USAGE } from '../agent/turn-usage.ts';
import { type Agent, createAgent, defaultModelOf } from '../agent.ts';
import type { EventPage, LogEntry, SessionUsage, StoredSession } from '../sessions/session-store.ts';
import { claimTurn, closingEntries } from './claim-turn.ts';
import type { LiveSession, LiveTurnOptions } from './live-session.ts';
import type { LiveSurroundings } from './live-surroundings.ts';
import { LogTail } from './log-tail.ts';
import type { LogSource } from './log-writer.ts';
import { createPendingApprovals, type PendingApprovals } from './pending-approvals.ts';
import { createTurnQueue, type TurnQueue } from './turn-queue.ts';

/** One session in this host. It holds no conversation between turns: the store has it, also when another process changed it. */
export class OpenSession implements LiveSession, LogSource {
  readonly epoch: string;
  readonly #around: LiveSurroundings;
  readonly #tail: LogTail;
  readonly #approvals: PendingApprovals;
  readonly #queue: TurnQueue = createTurnQueue();
  /** As it is kept; `#session` has what is granted of it now. */
  #kept: Session;
  #session: Session;
  #agent: { readonly spec: string; readonly made: Promise<Agent> } | undefined;
  /** Why what the turn that runs says is no longer kept. */
  #failure: Error | undefined;

  constructor(around: LiveSurroundings, { session, epoch, lastSeq }: StoredSession) {
    this.#kept = session;
    this.#session = around.host.reopenSession(session);
    this.epoch = epoch;
    this.#around = around;
    const { store, host, approvalTimeoutMs, onReaders } = around;
    const onReadersOfThis = (hasReaders: boolean) => onReaders(this, hasReaders);
    this.#tail = new LogTail((page) => store.events(session.id, page), lastSeq, onReadersOfThis);
    this.#approvals = createPendingApprovals(session.user, host.redact, approvalTimeoutMs);
  }

  get session(): Session {
    return this.#session;
  }

  get id(): string {
    return this.session.id;
  }

  get title(): string {
    return this.#stored.title;
  }

  get model(): string {
    return this.#agent?.spec ?? this.#stored.model ?? defaultModelOf(this.#around.host);
  }

  get usage(): SessionUsage {
    return this.#around.store.usage(this.id);
  }

  get lastSeq(): number {
    return this.#stored.lastSeq;
  }

  get openTurns(): number {
    return this.#queue.size;
  }

  get #stored(): StoredSession {
    const stored = this.#around.store.get(this.id);
    if (stored) return stored;
    throw new HostError('SESSION_NOT_FOUND', `the session ${this.id} was deleted`);
  }

  async checkModel(): Promise<void> {
    await this.#agentOf(undefined);
  }

  history(): readonly HistoryMessage[] {
    return repairHistory(this.#around.store.history(this.id));
  }

  async turn(text: string, options: LiveTurnOptions = {}): Promise<TurnResult> {
    this.#around.assertOpen();
    return this.#queue.run(options.abortSignal, (abortSignal) => this.#turn(text, { ...options, abortSignal }));
  }

  cancel(): number {
    return this.#queue.cancel();
  }

  pendingApprovals() {
    return this.#approvals.list();
  }

  answerApproval: LiveSession['answerApproval'] = (approvalId, answer) => this.#approvals.answer(approvalId, answer);

  events(page?: EventPage): ToolpostEvent[] {
    return this.#around.store.events(this.id, page);
  }

  follow: LiveSession['follow'] = (options = {}) => {
    this.#tail.reach(this.lastSeq);
    return this.#tail.follow(options);
  };

  subscribe: LiveSession['subscribe'] = (options, listener) => {
    this.#tail.reach(this.lastSeq);
    return this.#tail.subscribe(options, listener);
  };

  rename(title: string): void {
    this.#around.store.update(this.id, { title });
  }

  async clear(): Promise<void> {
    this.#around.assertOpen();
    await this.#queue.run(undefined, (abortSignal) =>
      this.#alone(abortSignal, async () => {
        this.#add({ type: 'history', messages: [] });
        this.#say({
          type: 'warning',
          message: 'The conversation was cleared: the model no longer knows what was said.',
        });
      }),
    );
  }

  async compact({ abortSignal }: { abortSignal?: AbortSignal | undefined } = {}): Promise<boolean> {
    this.#around.assertOpen();
    const done = await this.#queue.run(abortSignal, async (signal) => {
      const agent = await this.#agentOf(undefined);
      return this.#alone(signal, async () => {
        const options = { abortSignal: signal, onEvent: this.#say };
        const { messages } = await agent.compact(this.history(), options);
        if (messages) this.#add({ type: 'history', messages: messages.map(this.#around.mask) });
        return messages !== undefined;
      });
    });
    return done === true;
  }

  fork(): Promise<LiveSession> {
    this.#around.assertOpen();
    return this.#queue.run(undefined, () => this.#around.fork(this.session));
  }

  /** Closes a turn that a killed host left open, so that clients see its end. */
  closeInterrupted(): void {
    const { store, writer } = this.#around;
    const open = store.get(this.id)?.openTurn;
    if (!open || open.isRunning || this.#queue.size > 0) return;
    const claim = store.beginTurn(this.id);
    if (claim === 'busy') return;
    this.#failure = undefined;
    try {
      if (claim === 'interrupted') for (const entry of closingEntries(store, this.id)) this.#add(entry);
      writer.flush();
    } finally {
      this.#release();
    }
  }

  /** Looks for what another process has stored; a session that it deleted ends. */
  catchUp(): void {
    const stored = this.#around.store.get(this.id);
    if (stored) this.#tail.reach(stored.lastSeq);
    else this.end();
  }

  /** Other roots, from the next turn on. */
  grant(roots: readonly string[]): void {
    this.#kept = Object.freeze({ ...this.#kept, roots });
    this.#regrant();
  }

  /** Resolves when no turn runs or waits. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  end(error?: Error): void {
    this.#tail.end(error);
  }

  stored(events: readonly ToolpostEvent[]): void {
    this.#tail.publish(events);
  }

  failed(error: Error): void {
    this.#failure ??= error;
    this.#queue.cancelRunning();
    this.#tail.end(error);
  }

  async #turn(text: string, options: LiveTurnOptions & { abortSignal: AbortSignal }): Promise<TurnResult> {
    const { model, approve, ask, abortSignal, timeoutMs } = options;
    this.#regrant();
    const agent = await this.#agentOf(model);
    const result = await this.#alone(abortSignal, () => {
      this.#warnOfLostRoots();
      if (agent.model !== this.#stored.model) this.#around.store.update(this.id, { model: agent.model });
      return agent.turn(text, {
        ...{ history: this.history(), abortSignal, timeoutMs, onEvent: this.#say },
        onMessage: (message) => this.#add({ type: 'message', message: this.#around.mask(message) }),
        onRewrite: (messages) => this.#add({ type: 'history', messages: messages.map(this.#around.mask) }),
        approve: this.#seenFirst(approve === 'clients' ? this.#approvals.approve : approve),
        ask: this.#seenFirst(ask),
      });
    });
    return result ?? { reason: 'cancelled', text: '', messages: [...this.history()], usage: NO_USAGE };
  }

  /** Does the work while no other process works on this session. Undefined when the wait for that was cancelled. */
  async #alone<T>(abortSignal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    const { store, writer } = this.#around;
    this.#failure = undefined;
    const claim = await claimTurn(store, this.id, abortSignal);
    if (!claim) return undefined;
    try {
      if (claim === 'interrupted') for (const entry of closingEntries(store, this.id)) this.#add(entry);
      writer.flush();
      const result = await work();
      writer.flush();
      if (this.#failure) throw this.#failure;
      return result;
    } catch (error) {
      if (!this.#failure) this.#closeFailed(error);
      throw error;
    } finally {
      this.#release();
    }
  }

  /** A fault of the host: clients see the end of its turn all the same. */
  #closeFailed(error: unknown): void {
    const { store, writer } = this.#around;
    const reason = error instanceof Error ? error.message : String(error);
    writer.flush();
    for (const entry of closingEntries(store, this.id, `Toolpost failed in this turn: ${reason}.`)) this.#add(entry);
    writer.flush();
  }

  /** After a full disk not even that can be written; the claim ends with this process. */
  #release(): void {
    try {
      this.#around.store.endTurn(this.id);
    } catch (error) {
      if (!this.#failure) throw error;
    }
  }

  #say = (body: Extract<LogEntry, { type: 'event' }>['body']): void =>
    this.#add({ type: 'event', body, at: Date.now() });

  #add(entry: LogEntry): void {
    if (!this.#failure) this.#around.writer.add(this, entry);
  }

  /** What a question is about stands on the screen before the question does. */
  #seenFirst<Question extends ((...given: never[]) => unknown) | undefined>(question: Question): Question {
    if (!question) return question;
    const { writer } = this.#around;
    const asking = (...given: never[]) => {
      writer.flush();
      return question(...given);
    };
    return Object.assign(asking, question) as Question;
  }

  /** Folders go, and what a tenant has changes: each turn works with what is granted at its start. */
  #regrant(): void {
    const session = this.#around.host.reopenSession(this.#kept);
    if (JSON.stringify(session) === JSON.stringify(this.#session)) return;
    this.#session = session;
    this.#agent = undefined;
  }

  #warnOfLostRoots(): void {
    const lost = this.#kept.roots.filter((root) => !this.#session.roots.includes(root));
    if (lost.length === 0) return;
    const message = `This session goes on without ${lost.join(', ')}: not there any more, or not granted any more.`;
    this.#say({ type: 'warning', message });
  }

  #agentOf(given: string | undefined): Promise<Agent> {
    const spec = given ?? this.model;
    if (this.#agent?.spec !== spec) {
      const { host, environment } = this.#around;
      const made = createAgent({ host, session: this.session, model: spec, ...(environment && { environment }) });
      this.#agent = { spec, made };
      made.catch(() => {
        if (this.#agent?.made === made) this.#agent = undefined;
      });
    }
    return this.#agent.made;
  }
}
