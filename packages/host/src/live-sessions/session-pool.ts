import { HostError, type JsonObject } from '@toolpost/protocol';
import type { SessionStore } from '../sessions/session-store.ts';
import { answerRelayed } from './elsewhere.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenSession } from './open-session.ts';

/** How often it is looked whether another process has written something that readers or turns here wait for. */
const FOREIGN_POLL_MS = 200;
/** So many of these pass before it is looked whether a process whose turn is read here was killed. */
const POLLS_PER_LOOK = 10;

/**
 * The sessions that are open in a host, each once. One that runs or is read is held; any other lives as long as
 * somebody holds it, so that two callers never have two queues of one session, and idle ones take no memory.
 */
export interface SessionPool {
  get(id: string): OpenSession | undefined;
  all(): OpenSession[];
  /** Those that run or are read. */
  inUse(): OpenSession[];
  add(session: OpenSession): void;
  /** Something runs in it, until the function that is given back is called. */
  readonly hold: (session: LiveSession) => () => void;
  readonly onReaders: (session: LiveSession, hasReaders: boolean) => void;
  close(): void;
}

export function createSessionPool(store: SessionStore): SessionPool {
  const open = new Map<string, WeakRef<OpenSession>>();
  const collected = new FinalizationRegistry<string>((id) => {
    if (open.get(id)?.deref() === undefined) open.delete(id);
  });
  const get = (id: string) => open.get(id)?.deref();
  const read = new Set<LiveSession>();
  const running = new Map<LiveSession, number>();
  const answerRelayedOnce = createRelayAnswerer(store, get);
  let poll: NodeJS.Timeout | undefined;
  let polls = 0;
  let isBehind = false;

  const inUse = () => [...new Set([...read, ...running.keys()])].flatMap(({ session }) => get(session.id) ?? []);

  function look(): void {
    polls += 1;
    const sessions = [...read].flatMap(({ session }) => get(session.id) ?? []);
    attempt(() => {
      isBehind ||= store.hasForeignWrites();
      if (!isBehind) return;
      for (const session of sessions) session.catchUp();
      if (running.size > 0) answerRelayedOnce();
      isBehind = false;
    });
    for (const { session } of [...running.keys()]) attempt(() => get(session.id)?.tellUnbegun());
    if (polls % POLLS_PER_LOOK === 0) for (const session of sessions) attempt(() => session.closeInterrupted());
  }

  function schedule(): void {
    if (read.size + running.size > 0) poll ??= setInterval(look, FOREIGN_POLL_MS).unref();
    else if (poll) {
      clearInterval(poll);
      poll = undefined;
    }
  }

  return {
    get,
    all: () => [...open.values()].flatMap((reference) => reference.deref() ?? []),
    inUse,
    add(session) {
      if (get(session.id) === session) return;
      open.set(session.id, new WeakRef(session));
      collected.register(session, session.id);
    },
    hold(session) {
      running.set(session, (running.get(session) ?? 0) + 1);
      schedule();
      return () => {
        const others = (running.get(session) ?? 1) - 1;
        if (others > 0) running.set(session, others);
        else running.delete(session);
        schedule();
      };
    },
    onReaders(session, hasReaders) {
      if (hasReaders) read.add(session);
      else read.delete(session);
      schedule();
    },
    close: () => clearInterval(poll),
  };
}

/** Does what other processes ask of turns here, each request once. */
function createRelayAnswerer(store: SessionStore, get: (id: string) => LiveSession | undefined): () => void {
  const inHand = new Set<number>();

  async function answer(pk: number, session: LiveSession | undefined, request: JsonObject): Promise<void> {
    try {
      store.relay.answer(pk, session ? await answerRelayed(session, request) : {});
    } catch {
      // Whoever asked is told when it has waited long enough.
    } finally {
      inHand.delete(pk);
    }
  }

  return () => {
    for (const { pk, sessionId, request } of store.relay.waiting()) {
      if (inHand.has(pk)) continue;
      inHand.add(pk);
      void answer(pk, get(sessionId), request);
    }
  };
}

/** A database that cannot be read just now is read again at the next look. */
function attempt(look: () => void): void {
  try {
    look();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
  }
}
