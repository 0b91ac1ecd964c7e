import type { SessionStore } from '../sessions/session-store.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenSession } from './open-session.ts';

/** How often it is looked whether another process has written something that readers here wait for. */
const FOREIGN_POLL_MS = 200;

/**
 * The sessions that are open in a host, each once. One that runs or is read is held; any other lives as long as
 * somebody holds it, so that two callers never have two queues of one session, and idle ones take no memory.
 */
export interface SessionPool {
  get(id: string): OpenSession | undefined;
  all(): OpenSession[];
  add(session: OpenSession): void;
  readonly onReaders: (session: LiveSession, hasReaders: boolean) => void;
  close(): void;
}

export function createSessionPool(store: SessionStore): SessionPool {
  const open = new Map<string, WeakRef<OpenSession>>();
  const collected = new FinalizationRegistry<string>((id) => {
    if (open.get(id)?.deref() === undefined) open.delete(id);
  });
  const read = new Set<LiveSession>();
  let poll: NodeJS.Timeout | undefined;

  const lookForForeign = () => {
    if (store.hasForeignWrites()) for (const session of read) open.get(session.session.id)?.deref()?.catchUp();
  };

  return {
    get: (id) => open.get(id)?.deref(),
    all: () => [...open.values()].flatMap((reference) => reference.deref() ?? []),
    add(session) {
      if (open.get(session.id)?.deref() === session) return;
      open.set(session.id, new WeakRef(session));
      collected.register(session, session.id);
    },
    onReaders(session, hasReaders) {
      if (hasReaders) read.add(session);
      else read.delete(session);
      if (read.size > 0) poll ??= setInterval(lookForForeign, FOREIGN_POLL_MS).unref();
      else if (poll) {
        clearInterval(poll);
        poll = undefined;
      }
    },
    close: () => clearInterval(poll),
  };
}
