import { HostError } from '@toolpost/protocol';
import type Database from 'better-sqlite3';
import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { sessions } from './schema.ts';
import type { SessionFilter, SessionKey } from './session-store.ts';

export type SessionDatabase = BetterSQLite3Database;
export type SessionRow = typeof sessions.$inferSelect;

const DEFAULT_LIMIT = 100;
const TITLE_HOLDS = 'title_holds';

/** The rows of sessions, with the statements that every turn needs made once. */
export function createSessionRows(db: SessionDatabase) {
  const byId = db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder('id')), isNull(sessions.hidden)))
    .prepare();
  const byKey = db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.tenant, sql.placeholder('tenant')),
        eq(sessions.channel, sql.placeholder('channel')),
        eq(sessions.chatId, sql.placeholder('chatId')),
        isNull(sessions.hidden),
      ),
    )
    .prepare();
  const progressById = db
    .select({
      pk: sessions.pk,
      lastSeq: sessions.lastSeq,
      turnSeq: sessions.turnSeq,
      title: sessions.title,
      updatedAt: sessions.updatedAt,
    })
    .from(sessions)
    .where(and(eq(sessions.id, sql.placeholder('id')), isNull(sessions.hidden)))
    .prepare();
  const find = (id: string): SessionRow | undefined => byId.get({ id });

  return {
    find,
    /** What changes with each event. */
    findProgress: (id: string) => progressById.get({ id }),
    findByKey: ({ tenant, channel, chatId }: SessionKey): SessionRow | undefined =>
      byKey.get({ tenant, channel, chatId }),
    /** @throws HostError SESSION_NOT_FOUND */
    need(id: string): SessionRow {
      const row = find(id);
      if (!row) throw sessionNotFound(id);
      return row;
    },
    list({ tenant, user, channel, words = [], after, limit = DEFAULT_LIMIT }: SessionFilter): SessionRow[] {
      return db
        .select()
        .from(sessions)
        .where(
          and(
            isNull(sessions.hidden),
            tenant === undefined ? undefined : eq(sessions.tenant, tenant),
            user === undefined ? undefined : eq(sessions.user, user),
            channel === undefined ? undefined : eq(sessions.channel, channel),
            ...words.map((word) => sql`${sql.raw(TITLE_HOLDS)}(${sessions.title}, ${word.toLowerCase()})`),
            after && isBehind(after),
          ),
        )
        .orderBy(desc(sessions.updatedAt), desc(sessions.pk))
        .limit(limit)
        .all();
    },
  };
}

/** Sessions of one time stand in the order of their keys. One that is gone since may let some of its time come again. */
function isBehind({ id, at }: NonNullable<SessionFilter['after']>) {
  const key = sql`coalesce((select pk from sessions as last where last.id = ${id}), ${Number.MAX_SAFE_INTEGER})`;
  return or(lt(sessions.updatedAt, at), and(eq(sessions.updatedAt, at), lt(sessions.pk, key)));
}

/** SQLite folds the case of ASCII alone. */
export function addTitleSearch(database: Database.Database): void {
  database.function(TITLE_HOLDS, { deterministic: true }, (title, word) =>
    Number(String(title).toLowerCase().includes(String(word))),
  );
}

export type SessionRows = ReturnType<typeof createSessionRows>;

export function sessionNotFound(id: string): HostError {
  return new HostError(
    'SESSION_NOT_FOUND',
    `there is no session ${JSON.stringify(id)}: \`toolpost sessions list\` shows those there are`,
  );
}
