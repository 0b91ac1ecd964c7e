import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import type Database from 'better-sqlite3';
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { createDrawnCodeReader } from './drawn-code.ts';
import { events } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';
import type { EventPage } from './session-store.ts';

const DEFAULT_LIMIT = 1000;
const MAX_PAGE_CHARS = 1024 * 1024;

type EventRow = readonly [seq: number, at: number, body: string];

/** Reads pages of a log that are bounded in number and size: one event may be some hundred kilobytes. */
export function createEventReader(client: Database.Database, db: SessionDatabase) {
  const queryFor = (...more: SQL[]) =>
    db
      .select({ seq: events.seq, at: events.at, body: events.body })
      .from(events)
      .where(and(eq(events.session, sql.placeholder('pk')), gt(events.seq, sql.placeholder('afterSeq')), ...more))
      .orderBy(asc(events.seq))
      .limit(sql.placeholder('limit'))
      .toSQL().sql;
  // Drizzle reads all rows or one.
  const everything = client.prepare<[number, number, number], EventRow>(queryFor()).raw();
  const some = client
    .prepare<[number, number, string, string, number], EventRow>(
      queryFor(
        sql`json_extract(${events.body}, '$.type') IN (SELECT value FROM json_each(${sql.placeholder('types')}))`,
        sql`json_extract(${events.body}, '$.toolCallId') IS coalesce(nullif(${sql.placeholder('toolCallId')}, ''), json_extract(${events.body}, '$.toolCallId'))`,
      ),
    )
    .raw();

  const readDrawn = createDrawnCodeReader(db);

  return (
    pk: number,
    sessionId: string,
    { afterSeq = 0, limit = DEFAULT_LIMIT, about }: EventPage,
  ): ToolpostEvent[] => {
    const page: ToolpostEvent[] = [];
    const withCode = readDrawn(pk);
    let chars = 0;
    const rows = about
      ? some.iterate(pk, afterSeq, JSON.stringify(about.types), about.toolCallId ?? '', limit)
      : everything.iterate(pk, afterSeq, limit);
    for (const [seq, at, text] of rows) {
      const body = withCode(JSON.parse(text), seq);
      page.push({ ...(body as EventBody), sessionId, seq, at });
      chars += text.length + (body.type === 'ui-delta' ? String(body.code).length : 0);
      if (chars >= MAX_PAGE_CHARS) break;
    }
    return page;
  };
}
