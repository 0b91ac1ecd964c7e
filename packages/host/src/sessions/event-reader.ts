import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import type Database from 'better-sqlite3';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { createDrawnCodeReader } from './drawn-code.ts';
import { events } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';
import type { EventPage } from './session-store.ts';

const DEFAULT_LIMIT = 1000;
const MAX_PAGE_CHARS = 1024 * 1024;

type EventRow = readonly [seq: number, at: number, body: string];

/** Reads pages of a log that are bounded in number and size: one event may be some hundred kilobytes. */
export function createEventReader(client: Database.Database, db: SessionDatabase) {
  const query = db
    .select({ seq: events.seq, at: events.at, body: events.body })
    .from(events)
    .where(and(eq(events.session, sql.placeholder('pk')), gt(events.seq, sql.placeholder('afterSeq'))))
    .orderBy(asc(events.seq))
    .limit(sql.placeholder('limit'))
    .toSQL();
  // Drizzle reads all rows or one.
  const statement = client.prepare<[number, number, number], EventRow>(query.sql).raw();

  const readDrawn = createDrawnCodeReader(db);

  return (pk: number, sessionId: string, { afterSeq = 0, limit = DEFAULT_LIMIT }: EventPage): ToolpostEvent[] => {
    const page: ToolpostEvent[] = [];
    const withCode = readDrawn(pk);
    let chars = 0;
    for (const [seq, at, text] of statement.iterate(pk, afterSeq, limit)) {
      const body = withCode(JSON.parse(text), seq);
      page.push({ ...(body as EventBody), sessionId, seq, at });
      chars += text.length + (body.type === 'ui-delta' ? String(body.code).length : 0);
      if (chars >= MAX_PAGE_CHARS) break;
    }
    return page;
  };
}
