import type { SessionOptions } from '../host.ts';
import type { SessionFilter, StoredSession } from '../sessions/session-store.ts';
import type { LiveSession } from './live-session.ts';

/** Who may open a session: another's is `SESSION_NOT_FOUND`, as if it were not there. Absent: the owner of the home. */
export interface SessionOwner {
  readonly tenant: string;
  readonly user: string;
}

export interface OpenOptions extends Omit<SessionOptions, 'id'> {
  readonly model?: string | undefined;
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
  /**
   * Takes no new turn, lets running ones finish for `graceMs` (0 when absent), then cancels them; resolves when every
   * event is stored and every follower has ended. Leaves host and store open.
   */
  close(options?: { graceMs?: number }): Promise<void>;
}
