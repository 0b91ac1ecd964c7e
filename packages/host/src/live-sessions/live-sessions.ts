import { HostError, type Session } from '@toolpost/protocol';
import type { HistoryMessage } from '../agent/history.ts';
import type { Host, SessionOptions } from '../host.ts';
import type { PluginNewsItem } from '../plugin-life/plugin-news-hub.ts';
import { deleteSession } from '../sessions/delete-session.ts';
import type { SessionFilter, SessionStore, StoredSession } from '../sessions/session-store.ts';
import { forkSession } from './fork-session.ts';
import type { LiveSession } from './live-session.ts';
import type { LiveSurroundings } from './live-surroundings.ts';
import { createLogWriter } from './log-writer.ts';
import { OpenSession } from './open-session.ts';
import { createSessionPool, type SessionPool } from './session-pool.ts';

const APPROVAL_TIMEOUT_MS = 3_600_000;

/** Who may open a session: another's is `SESSION_NOT_FOUND`, as if it were not there. Absent: the owner of the home. */
export interface SessionOwner {
  readonly tenant: string;
  readonly user: string;
}

export interface OpenOptions extends Omit<SessionOptions, 'id'> {
  readonly model?: string | undefined;
  /** A session that is there keeps the roots that it has. */
  readonly keepsRoots?: boolean | undefined;
}

export interface LiveSessionsOptions {
  readonly host: Host;
  readonly store: SessionStore;
  /** Where keys and addresses of models come from; this process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long a question waits for clients; an hour when absent. */
  readonly approvalTimeoutMs?: number | undefined;
}

/** The sessions of one home, and those that are open in this host. */
export interface LiveSessions {
  /** Opens the session of the key (tenant, channel, chatId), a new one when there is none or no chatId is given. */
  open(options?: OpenOptions): Promise<LiveSession>;
  /** @throws HostError SESSION_NOT_FOUND for one that is not there, or another's. */
  resume(id: string, owner?: SessionOwner): Promise<LiveSession>;
  list(filter?: SessionFilter): StoredSession[];
  /** Cancels what runs in it and forgets it. Returns whether there was one. */
  delete(id: string, owner?: SessionOwner): Promise<boolean>;
  /** Turns that run or wait in this host. */
  readonly openTurns: number;
  /** Those of the owner's sessions. */
  openTurnsOf(owner: SessionOwner): number;
  /**
   * Takes no new turn, lets running ones finish for `graceMs` (0 when absent), then cancels them; resolves when every
   * event is stored and every follower has ended. Leaves host and store open.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** Runs the sessions of a store on a host. Sessions that nobody uses take no memory; the caller closes host and store. */
export function createLiveSessions(options: LiveSessionsOptions): LiveSessions {
  return new HostSessions(options);
}

class HostSessions implements LiveSessions {
  readonly #around: LiveSurroundings;
  readonly #pool: SessionPool;
  readonly #endNews: () => void;
  #isClosing = false;

  constructor({ host, store, environment, approvalTimeoutMs = APPROVAL_TIMEOUT_MS }: LiveSessionsOptions) {
    this.#pool = createSessionPool(store);
    const writer = createLogWriter(store);
    this.#around = {
      ...{ host, store, environment, approvalTimeoutMs, writer },
      mask: (message) => maskMessage(message, host),
      assertOpen: () => this.#assertOpen(),
      fork: (session) => this.#fork(session),
      onReaders: this.#pool.onReaders,
      hold: this.#pool.hold,
    };
    this.#endNews = host.onPluginNews((news) => this.#tellOfPlugin(news));
    // A native plugin may end the process under a turn: what happened until then is kept, and shown before anything else.
    process.prependListener('exit', writer.flush);
  }

  get openTurns(): number {
    return sumOfTurns(this.#pool.all());
  }

  openTurnsOf({ tenant, user }: SessionOwner): number {
    const isTheirs = ({ session }: LiveSession) => session.tenant === tenant && session.user === user;
    return sumOfTurns(this.#pool.all().filter(isTheirs));
  }

  async open({ model, keepsRoots = false, ...options }: OpenOptions = {}): Promise<LiveSession> {
    this.#assertOpen();
    const { host, store } = this.#around;
    const session = host.openSession(options);
    const known = store.getByKey(session);
    if (!known) return this.#enter(this.#create(session, model), session.roots);
    if (known.session.user !== session.user) throw notFound(`${session.channel}:${session.chatId}`);
    if (model !== undefined && model !== known.model) store.update(known.session.id, { model });
    return keepsRoots ? this.#enter(known) : this.#enter(known, session.roots);
  }

  async resume(id: string, owner?: SessionOwner): Promise<LiveSession> {
    this.#assertOpen();
    return this.#enter(this.#find(id, owner) ?? throwNotFound(id));
  }

  list(filter?: SessionFilter): StoredSession[] {
    return this.#around.store.list(filter);
  }

  async delete(id: string, owner?: SessionOwner): Promise<boolean> {
    const stored = this.#find(id, owner);
    if (!stored) return false;
    const open = this.#pool.get(id);
    open?.cancel();
    await open?.idle();
    const isDeleted = deleteSession(this.#around.store, id);
    open?.end();
    if (isDeleted) await this.#around.host.sessionHooks.deleted(stored.session);
    return isDeleted;
  }

  async close({ graceMs = 0 }: { graceMs?: number } = {}): Promise<void> {
    this.#isClosing = true;
    this.#endNews();
    const sessions = this.#pool.all();
    const cancel = setTimeout(() => {
      for (const session of sessions) session.cancel();
    }, graceMs);
    await Promise.all(sessions.map((session) => session.idle()));
    clearTimeout(cancel);
    this.#around.writer.flush();
    process.off('exit', this.#around.writer.flush);
    for (const session of sessions) session.end();
    this.#pool.close();
  }

  /** Whoever reads or works in a session that has the plugin. A log that nobody looks at says nothing of it. */
  #tellOfPlugin({ plugin, state, error, isFor }: PluginNewsItem): void {
    for (const session of this.#pool.inUse())
      if (isFor(session.session))
        session.tell({ type: 'plugin-state', plugin, state, ...(error !== undefined && { error }) });
  }

  #find(id: string, owner: SessionOwner | undefined): StoredSession | undefined {
    const stored = this.#around.store.get(id);
    const isTheirs = !owner || (stored?.session.tenant === owner.tenant && stored.session.user === owner.user);
    return isTheirs ? stored : undefined;
  }

  /** Another process may make the same one at this moment: then it is that one. */
  #create(session: Session, model: string | undefined): StoredSession {
    const { store } = this.#around;
    try {
      return store.create(session, { model });
    } catch (error) {
      const known = store.getByKey(session);
      if (known?.session.user === session.user) return known;
      throw error;
    }
  }

  async #fork({ id, areRootsGiven }: OpenSession): Promise<LiveSession> {
    const copy = await forkSession(this.#around.store, id);
    return this.#enter(copy, areRootsGiven ? copy.session.roots : undefined);
  }

  /** Whoever opens a session by its key says what it may work on from now on. */
  #enter(stored: StoredSession, roots?: readonly string[]): LiveSession {
    const session = this.#pool.get(stored.session.id) ?? new OpenSession(this.#around, stored);
    this.#pool.add(session);
    if (roots) {
      if (JSON.stringify(roots) !== JSON.stringify(stored.session.roots))
        this.#around.store.update(session.id, { roots });
      session.grant(roots);
    }
    session.closeInterrupted();
    return session;
  }

  #assertOpen(): void {
    if (this.#isClosing) throw new HostError('CONNECTION_CLOSED', 'the host is closing and takes no new turns');
  }
}

function sumOfTurns(sessions: readonly LiveSession[]): number {
  return sessions.reduce((sum, { openTurns }) => sum + openTurns, 0);
}

function maskMessage(message: HistoryMessage, { redact }: Host): HistoryMessage {
  if (!redact.isActive) return message;
  const text = JSON.stringify(message);
  const masked = redact(text);
  return masked === text ? message : JSON.parse(masked);
}

function notFound(id: string): HostError {
  return new HostError('SESSION_NOT_FOUND', `there is no session ${JSON.stringify(id)} of yours`);
}

function throwNotFound(id: string): never {
  throw notFound(id);
}
