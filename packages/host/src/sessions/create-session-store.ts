import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HostError, type Session } from '@toolpost/protocol';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { outputFolder } from '../settings/file-names.ts';
import { createLogAppender } from './append-log.ts';
import { createDailyCounter } from './daily-counter.ts';
import { createEventReader } from './event-reader.ts';
import { createForker, type NewRow } from './fork-rows.ts';
import { createHiddenSessions, PIECE_EVENTS } from './hidden-sessions.ts';
import { createHistoryReader } from './history-writer.ts';
import { createInbox } from './inbox.ts';
import { IN_MEMORY, openDatabase } from './open-database.ts';
import { createRelay } from './relay.ts';
import { inbound, sessions, usage } from './schema.ts';
import { addTitleSearch, createSessionRows, type SessionDatabase, type SessionRow } from './session-rows.ts';
import type { SessionStore, SessionUsage, StoredSession } from './session-store.ts';
import { isTaken, withStoreErrors } from './store-error.ts';
import { titleOf } from './title.ts';
import { createTurnClaims } from './turn-claims.ts';
import { createTurnOwner } from './turn-owner.ts';

const SESSIONS_FILE = 'sessions.db';

/**
 * Opens `sessions.db` of a home directory, and makes it when it is missing; without a directory the sessions are kept in
 * memory and end with the store.
 * @throws HostError SESSION_STORE_FAILED
 */
export function createSessionStore(homeDir: string | undefined): SessionStore {
  const path = homeDir === undefined ? IN_MEMORY : join(homeDir, SESSIONS_FILE);
  const client = openDatabase(path);
  addTitleSearch(client);
  const db: SessionDatabase = drizzle(client);
  const guarded = <Arguments extends unknown[], Value>(work: (...given: Arguments) => Value) => {
    return (...given: Arguments): Value => withStoreErrors(path, () => work(...given));
  };
  const rows = createSessionRows(db);
  const owner = createTurnOwner();
  const turns = createTurnClaims(db, rows, owner);
  const readEvents = createEventReader(client, db);
  const readHistory = createHistoryReader(db);
  const insert = createInserter(db);
  let dataVersion = client.pragma('data_version', { simple: true });

  const toStored = (row: SessionRow): StoredSession => ({ ...describe(row), openTurn: turns.openTurnOf(row) });
  const contentsOf = (row: SessionRow) => ({
    pk: row.pk,
    folder: homeDir === undefined ? undefined : outputFolder(homeDir, row),
  });
  const hidden = withStoreErrors(path, () => createHiddenSessions(db, owner));
  const fork = createForker(db, guarded, { rows, owner, hidden, insert, contentsOf });
  const remove = (id: string): boolean => {
    const row = rows.find(id);
    if (!row) return false;
    db.delete(inbound).where(eq(inbound.session, id)).run();
    if (row.lastSeq > PIECE_EVENTS) hidden.remove(row.pk);
    else db.delete(sessions).where(eq(sessions.pk, row.pk)).run();
    return true;
  };
  const orNone = (row: SessionRow | undefined) => row && toStored(row);

  return {
    path: homeDir === undefined ? undefined : path,
    // In a transaction: SQLite says at its end alone that the disk is full, and a lone statement that gives rows has none.
    create: guarded((session, { title = '', model } = {}) =>
      db.transaction(() => toStored(insert(session, { title, model: model ?? null })), { behavior: 'immediate' }),
    ),
    get: guarded((id) => orNone(rows.find(id))),
    getByKey: guarded((key) => orNone(rows.findByKey(key))),
    list: guarded((filter = {}) => rows.list(filter).map(toStored)),
    update: guarded((id, { title, model, roots }) => {
      const change = {
        ...(title !== undefined && { title: titleOf(title) }),
        ...(model !== undefined && { model }),
        ...(roots && { roots }),
      };
      const { pk } = rows.need(id);
      if (Object.keys(change).length > 0) db.update(sessions).set(change).where(eq(sessions.pk, pk)).run();
    }),
    delete: guarded((id) => db.transaction(() => remove(id), { behavior: 'immediate' })),
    fork: async (id, newId) => toStored(await fork(id, newId)),
    history: guarded((id) => readHistory(rows.need(id).pk)),
    usage: guarded((id) => sumUsage(db, rows.need(id).pk)),
    events: guarded((id, page = {}) => readEvents(rows.need(id).pk, id, page)),
    append: guarded(createLogAppender(db, rows)),
    beginTurn: guarded(turns.begin),
    endTurn: guarded(turns.end),
    hasForeignWrites: guarded(() => {
      const before = dataVersion;
      dataVersion = client.pragma('data_version', { simple: true });
      return dataVersion !== before;
    }),
    countDaily: guarded(createDailyCounter(db)),
    inbox: createInbox(db, guarded),
    relay: createRelay(db, guarded, { rows, owner }),
    close: guarded(() => {
      if (!client.open) return;
      turns.endAll();
      try {
        hidden.finish();
      } finally {
        client.close();
      }
    }),
  };
}

function createInserter(db: SessionDatabase): (session: Session, given: NewRow) => SessionRow {
  return ({ id, tenant, channel, chatId, user, roots }, given) => {
    const { title, model, lastSeq = 0, turnSeq = null, hidden = null } = given;
    const now = Date.now();
    const epoch = randomBytes(6).toString('hex');
    const progress = { title: titleOf(title), model, epoch, lastSeq, turnSeq, hidden };
    const row = { id, tenant, channel, chatId, user, roots, ...progress };
    try {
      return db
        .insert(sessions)
        .values({ ...row, createdAt: now, updatedAt: now })
        .returning()
        .get();
    } catch (error) {
      if (!isTaken(error)) throw error;
      throw new HostError('SESSION_STORE_FAILED', `a session ${id} or a chat ${channel}:${chatId} is there already`);
    }
  };
}

function describe(row: SessionRow): Omit<StoredSession, 'openTurn'> {
  const { id, tenant, channel, chatId, user, roots, title, model, createdAt, updatedAt, epoch, lastSeq } = row;
  const session = Object.freeze({ id, tenant, channel, chatId, user, roots: Object.freeze(roots) });
  return { session, title, model: model ?? undefined, createdAt, updatedAt, epoch, lastSeq };
}

function sumUsage(db: SessionDatabase, pk: number): SessionUsage {
  const total = (column: typeof usage.inputTokens | typeof usage.outputTokens | typeof usage.totalTokens) =>
    sql<number>`coalesce(sum(${column}), 0)`;
  const row = db
    .select({
      inputTokens: total(usage.inputTokens),
      outputTokens: total(usage.outputTokens),
      totalTokens: total(usage.totalTokens),
    })
    .from(usage)
    .where(eq(usage.session, pk))
    .get();
  return row ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
}
