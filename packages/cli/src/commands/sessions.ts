import {
  deleteSession,
  exportSession,
  forkSession,
  openSessionStore,
  readLog,
  type SessionStore,
  type StoredSession,
  toSessionListing,
} from '@toolpost/host';
import { findSession } from '../find-session.ts';
import { print, printNow } from '../print.ts';
import { sessionColumns, toSessionRow } from '../session-columns.ts';
import { createLogRenderer } from '../shown-log.ts';
import { UsageError } from '../usage-error.ts';

export interface SessionsListOptions {
  readonly json: boolean;
  readonly limit: number;
  readonly tenant?: string;
  readonly user?: string;
  readonly channel?: string;
}

/** `toolpost sessions list`: newest first. */
export function sessionsList({ json, limit, tenant, user, channel }: SessionsListOptions): Promise<number> {
  return withStore(async (store) => {
    const sessions = store.list({ limit, tenant, user, channel });
    if (json) await print(`${JSON.stringify({ sessions: sessions.map((one) => toSessionListing(store, one)) })}\n`);
    else await print(sessions.length === 0 ? 'No session is kept.\n' : sessionColumns(sessions.map(toSessionRow)));
  });
}

/** `toolpost sessions show`: the log as it was seen. */
export function sessionsShow(id: string, { json }: { json: boolean }): Promise<number> {
  return withStore(async (store) => {
    const stored = findSession(store, id);
    if (json) return print(`${JSON.stringify(toSessionListing(store, stored))}\n`);
    const { session, title } = stored;
    printNow(sessionColumns([toSessionRow(stored)]));
    if (stored.lastSeq === 0) return print(`Nothing was said in ${title || session.id} yet.\n`);
    const render = createLogRenderer({ answer: printNow, aside: printNow });
    for (const event of logOf(store, stored)) render(event);
    await print('');
  });
}

/** `toolpost sessions export`: the whole of it, to standard output. */
export function sessionsExport(id: string, { format }: { format: 'markdown' | 'json' }): Promise<number> {
  return withStore(async (store) => {
    const stored = findSession(store, id);
    for (const piece of exportSession(store, stored, format)) await print(piece);
  });
}

/** `toolpost sessions delete`: with everything that was kept of them. */
export function sessionsDelete(ids: readonly string[]): Promise<number> {
  return withStore(async (store) => {
    const found = ids.map((id) => findSession(store, id));
    const running = found.find(({ openTurn }) => openTurn?.isRunning);
    if (running) throw new UsageError(`a turn runs in session ${running.session.id}: end it first`);
    for (const { session } of found) deleteSession(store, session.id);
    await print(`${found.length} ${found.length === 1 ? 'session is' : 'sessions are'} deleted\n`);
  });
}

/** `toolpost sessions rename` */
export function sessionsRename(id: string, title: string): Promise<number> {
  return withStore(async (store) => {
    if (title.trim() === '') throw new UsageError('the new title is empty');
    const { session } = findSession(store, id);
    store.update(session.id, { title });
    await print(sessionColumns([toSessionRow(findSession(store, session.id))]));
  });
}

/** `toolpost sessions fork`: prints the id of the copy. */
export function sessionsFork(id: string): Promise<number> {
  return withStore(async (store) => {
    const copy = await forkSession(store, findSession(store, id).session.id);
    await print(`${copy.session.id}\n`);
  });
}

async function withStore(work: (store: SessionStore) => Promise<void>): Promise<number> {
  const store = await openSessionStore(process.env);
  try {
    await work(store);
    return 0;
  } finally {
    store.close();
  }
}

function logOf(store: SessionStore, { session }: StoredSession) {
  return readLog((page) => store.events(session.id, page));
}
