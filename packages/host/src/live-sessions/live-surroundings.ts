import type { HistoryMessage } from '../agent/history.ts';
import type { Host } from '../host.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { LiveSession } from './live-session.ts';
import type { LogWriter } from './log-writer.ts';
import type { OpenSession } from './open-session.ts';

/** What the open sessions of a host share. */
export interface LiveSurroundings {
  readonly host: Host;
  readonly store: SessionStore;
  readonly writer: LogWriter;
  /** Keys and addresses of models; this process's own when absent. */
  readonly environment: Readonly<Record<string, string | undefined>> | undefined;
  readonly approvalTimeoutMs: number;
  /** Masks secrets in a message before it is stored. */
  mask(message: HistoryMessage): HistoryMessage;
  /** @throws HostError CONNECTION_CLOSED when no new work is taken. */
  assertOpen(): void;
  fork(session: OpenSession): Promise<LiveSession>;
  onReaders(session: LiveSession, hasReaders: boolean): void;
  /** Something runs in the session, until the function that is given back is called. */
  hold(session: LiveSession): () => void;
}
