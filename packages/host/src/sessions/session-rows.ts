import { HostError } from '@toolpost/protocol';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { sessions } from './schema.ts';
import type { SessionFilter, SessionKey } from './session-store.ts';

export type SessionDatabase = BetterSQLite3Database;
export type SessionRow = typeof sessions.$inferSelect;

const DEFAULT_LIMIT = 100;

/** The rows of sessions, with the statements that every turn needs made once. */
export function createSessionRows(db: SessionDatabase) {
  const byId = db
    .select()
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare();
  const byKey = db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.tenant, sql.placeholder('tenant')),
        eq(sessions.channel, sql.placeholder('channel')),
        eq(sessions.chatId, sql.placeholder('chatId')),
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
    .where(eq(sessions.id, sql.placeholder('id')))
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
    list({ tenant, user, channel, before, limit = DEFAULT_LIMIT }: SessionFilter): SessionRow[] {
      return db
        .select()
        .from(sessions)
        .where(
          and(
            tenant === undefined ? undefined : eq(sessions.tenant, tenant),
            user === undefined ? undefined : eq(sessions.user, user),
            channel === undefined ? undefined : eq(sessions.channel, channel),
            before === undefined ? undefined : lt(sessions.updatedAt, before),
          ),
        )
        .orderBy(desc(sessions.updatedAt), desc(sessions.pk))
        .limit(limit)
        .all();
    },
  };
}

export type SessionRows = ReturnType<typeof createSessionRows>;

export function sessionNotFound(id: string): HostError {
  return new HostError(
    'SESSION_NOT_FOUND',
    `there is no session ${JSON.stringify(id)}: \`toolpost sessions list\` shows those there are`,
  );
}
