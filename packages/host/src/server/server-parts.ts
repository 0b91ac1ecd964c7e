import type { Host } from '../host.ts';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { LiveSessions } from '../live-sessions/live-sessions.ts';
import type { SessionStore, StoredSession } from '../sessions/session-store.ts';
import type { EventStreamLimits } from './event-stream.ts';
import type { OneUseLinks } from './one-use-links.ts';
import type { Principal } from './principal.ts';
import { Problem } from './problem.ts';

/** What the routes work on. */
export interface ServerParts {
  readonly host: Host;
  readonly store: SessionStore;
  readonly sessions: LiveSessions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The longest that a call may take, in ms, beside its own limit. */
  readonly timeoutMs: number;
  readonly streamLimits: EventStreamLimits;
  /** Absent where the page is somebody else's. */
  readonly links: OneUseLinks | undefined;
  readonly clientDir: string | undefined;
  readonly startedAt: number;
  /** Once it closes, nothing new begins. */
  readonly isClosing: () => boolean;
  readonly url: () => string;
  readonly warn: (message: string) => void;
}

/** A session of whoever asks. @throws HostError SESSION_NOT_FOUND for one that is another's, too. */
export function ownSession({ sessions }: ServerParts, id: string, { tenant, user }: Principal): Promise<LiveSession> {
  return sessions.resume(id, { tenant, user });
}

/** How an open session is kept. @throws Problem SESSION_NOT_FOUND when it was deleted meanwhile. */
export function storedOf({ store }: ServerParts, { session: { id } }: LiveSession): StoredSession {
  const stored = store.get(id);
  if (stored) return stored;
  throw new Problem(404, 'SESSION_NOT_FOUND', `the session ${id} was deleted`);
}

/** @throws Problem CONNECTION_CLOSED once the server is closing. */
export function assertTakesWork({ isClosing }: ServerParts): void {
  if (isClosing())
    throw new Problem(503, 'CONNECTION_CLOSED', 'the server is closing and takes nothing new: start it again');
}
