import { type Host, type LiveSession, type LiveSessions, openLiveSessions, openSessionStore } from '@toolpost/host';
import { HostError, type Session } from '@toolpost/protocol';
import type { CommonOptions } from './common-options.ts';
import { findSession } from './find-session.ts';
import { warn, withHost } from './open-host.ts';
import { UsageError } from './usage-error.ts';

type SessionStore = Awaited<ReturnType<typeof openSessionStore>>;

export interface SessionOptions extends CommonOptions {
  readonly model?: string;
  /** Go on with the latest conversation that was held here. */
  readonly continue?: boolean;
  /** Go on with the session of this id. */
  readonly resume?: string;
}

export interface OpenedSession {
  readonly host: Host;
  readonly live: LiveSessions;
  readonly store: SessionStore;
  /** Whether one can go on with the session later. */
  readonly isKept: boolean;
  readonly session: LiveSession;
  /** Goes on with another one. The one before is not kept when nothing was said in it. */
  enter(session: LiveSession): Promise<void>;
}

/**
 * Runs `work` in a session as the flags say: the one to go on with, that of `--chat`, or a new one. One in which nothing
 * was said is not kept. Where sessions cannot be kept the work is done all the same, with a warning, unless it is to go on
 * with one.
 */
export async function withSession<T>(options: SessionOptions, work: (opened: OpenedSession) => Promise<T>): Promise<T> {
  const { store, isKept } = await openStore(options);
  try {
    const chosen = options.resume === undefined ? undefined : findSession(store, options.resume).session;
    // A session goes on where it was held, with that project's files, wherever the command is typed.
    const root = options.root ?? (chosen && [...chosen.roots]);
    return await withHost({ ...options, ...(root && { root }) }, async (host, here) => {
      const live = await openLiveSessions({ host, store });
      try {
        return await withLive({ host, live, store, isKept }, chosen ?? continued(store, here, options), {
          options,
          work,
        });
      } finally {
        await live.close();
      }
    });
  } finally {
    store.close();
  }
}

interface Work<T> {
  readonly options: SessionOptions;
  readonly work: (opened: OpenedSession) => Promise<T>;
}

async function withLive<T>(
  around: Omit<OpenedSession, 'session' | 'enter'>,
  known: Session | undefined,
  { options, work }: Work<T>,
): Promise<T> {
  const { tenant, channel, chat: chatId, user, model, root: roots } = options;
  const { live } = around;
  let session = known
    ? await live.open({ ...known, roots: roots ?? known.roots, model })
    : await live.open({ tenant, channel, chatId, user, model });
  const opened: OpenedSession = {
    ...around,
    get session() {
      return session;
    },
    async enter(next) {
      const before = session;
      session = next;
      if (before !== next) await forgetEmpty(live, before);
    },
  };
  try {
    return await work(opened);
  } finally {
    await forgetEmpty(live, session);
  }
}

async function forgetEmpty(live: LiveSessions, session: LiveSession): Promise<void> {
  try {
    if (session.lastSeq === 0) await live.delete(session.session.id);
  } catch {
    // A database that fails has failed before, which is told already.
  }
}

async function openStore({
  continue: continues,
  resume,
}: SessionOptions): Promise<Pick<OpenedSession, 'store' | 'isKept'>> {
  try {
    return { store: await openSessionStore(process.env), isKept: true };
  } catch (error) {
    if (!(error instanceof HostError) || continues || resume !== undefined) throw error;
    warn(`this conversation is not kept: ${error.message}`);
    return { store: await openSessionStore(undefined), isKept: false };
  }
}

/** The session that was changed last among those of the same user, channel and roots. */
function continued(store: SessionStore, here: Session, options: SessionOptions): Session | undefined {
  if (!options.continue) return undefined;
  const { tenant, user, channel } = here;
  const isHere = ({ roots }: Session) => JSON.stringify(roots) === JSON.stringify(here.roots);
  const sessions = store.list({ tenant, user, channel, limit: 10_000 }).map(({ session }) => session);
  const found = sessions.find(isHere);
  if (found) return found;
  throw new UsageError(
    `no conversation was held in ${here.roots.join(', ')} yet: leave out --continue, or name one of \`toolpost sessions list\` with --resume`,
  );
}
