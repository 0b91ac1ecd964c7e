import type { LanguageModelV4Message } from '@ai-sdk/provider';
import type { EventBody, Session, ToolpostEvent } from '@toolpost/protocol';
import type { Inbox } from './inbox.ts';
import type { Relay } from './relay.ts';

export type SessionUsage = Omit<Extract<EventBody, { type: 'usage' }>, 'type'>;

/** What tells sessions apart for a person: (tenant, channel, chatId). */
export type SessionKey = Pick<Session, 'tenant' | 'channel' | 'chatId'>;

/** A session as it is kept. Times are ms since 1970. */
export interface StoredSession {
  readonly session: Session;
  /** The user's first words, or what it was renamed to; empty before the first turn. */
  readonly title: string;
  /** The model specification of its last turn. */
  readonly model: string | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Tells one log from another under the same id: a position in a log is `epoch:seq`. */
  readonly epoch: string;
  /** The number of its last event, 0 when it has none. */
  readonly lastSeq: number;
  /** The turn that runs, or that a host left behind when it was killed. */
  readonly openTurn: OpenTurn | undefined;
}

export interface OpenTurn {
  /** The number of its `turn-start`, 0 until that is stored. */
  readonly startSeq: number;
  /** Whether the process that runs it is alive, this one or another. */
  readonly isRunning: boolean;
  /** The process that runs it, where it is alive and has another store than this one. */
  readonly pidElsewhere?: number;
}

export type TurnClaim = 'begun' | 'interrupted' | 'busy';

export interface SessionFilter {
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly channel?: string | undefined;
  /** 100 when absent. */
  readonly limit?: number | undefined;
  /** Words that the title has to hold, in any order and case. */
  readonly words?: readonly string[] | undefined;
  /** The last session of the page before, and when it had been changed, in ms since 1970. */
  readonly after?: { readonly id: string; readonly at: number } | undefined;
}

/** One step of what a session appends, kept in the order it is given. */
export type LogEntry =
  | { readonly type: 'event'; readonly body: EventBody; readonly at: number }
  | { readonly type: 'message'; readonly message: LanguageModelV4Message }
  /** Takes the place of the whole history. */
  | { readonly type: 'history'; readonly messages: readonly LanguageModelV4Message[] };

/**
 * All sessions of a home directory: what they are, their history and their numbered event log, in `sessions.db`.
 * Everything but `fork` is synchronous, and durable when it returns: it survives a `kill -9` of this process, and any number of
 * processes may work on one database at once. Methods throw HostError SESSION_STORE_FAILED when the database cannot be
 * read or written, with the remedy, and SESSION_NOT_FOUND for a session that is not there.
 */
export interface SessionStore {
  /** Where it is; undefined for one that is kept in memory only. */
  readonly path: string | undefined;
  /** Throws when the key or the id is taken. */
  create(session: Session, options?: { title?: string; model?: string | undefined }): StoredSession;
  get(id: string): StoredSession | undefined;
  getByKey(key: SessionKey): StoredSession | undefined;
  /** Newest first, without reading any log. */
  list(filter?: SessionFilter): StoredSession[];
  update(id: string, change: { title?: string; model?: string; roots?: readonly string[] }): void;
  /** Returns whether there was one. */
  delete(id: string): boolean;
  /**
   * A copy under a new id, which is its chat's id too: history, usage and log, with the same tenant, channel, user and roots.
   * It is there when it is whole; a long one takes several transactions.
   */
  fork(id: string, newId: string): Promise<StoredSession>;
  history(id: string): LanguageModelV4Message[];
  /** The sum of all turns. */
  usage(id: string): SessionUsage;
  /** The next events behind `afterSeq`, in order. A page may be shorter than `limit`; only behind the last event it is empty. */
  events(id: string, options?: EventPage): ToolpostEvent[];
  /** Appends the entries of any sessions in one transaction, and returns what became of each. */
  append(batches: readonly LogBatch[]): AppendResult[];
  /**
   * Takes the session for a turn of this process. `busy`: a live process has it, maybe this one. `interrupted`: it is
   * taken, and the turn before was cut off, so that the log and the history want closing first.
   */
  beginTurn(id: string): TurnClaim;
  endTurn(id: string): void;
  /** Whether another process has written since this was last asked. Cheap. */
  hasForeignWrites(): boolean;
  /** Counts one use under a key in a day (days since 1970, UTC) for all hosts of this home; false, counting nothing, at `max`. */
  countDaily(key: string, day: number, max: number): boolean;
  /** Messages that came in through channels. */
  readonly inbox: Inbox;
  /** Requests to the process that runs a session's turn. */
  readonly relay: Relay;
  close(): void;
}

export interface EventPage {
  readonly afterSeq?: number | undefined;
  /** 1000 when absent. A page also ends at about a megabyte. */
  readonly limit?: number | undefined;
  /** Only events of these types, and of this call where one is named. */
  readonly about?: { readonly types: readonly string[]; readonly toolCallId?: string } | undefined;
}

export interface LogBatch {
  readonly sessionId: string;
  readonly entries: readonly LogEntry[];
}

/** The events as they are stored, or why this session's part was not. */
export type AppendResult = { readonly events: readonly ToolpostEvent[] } | { readonly error: Error };
