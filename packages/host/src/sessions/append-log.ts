import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import { eq, sql } from 'drizzle-orm';
import { createDrawnCodeWriter, type DrawnCodeWriter } from './drawn-code.ts';
import { createHistoryWriter, type HistoryWriter } from './history-writer.ts';
import { events, sessions, usage } from './schema.ts';
import { type SessionDatabase, type SessionRow, type SessionRows, sessionNotFound } from './session-rows.ts';
import type { AppendResult, LogBatch, LogEntry } from './session-store.ts';
import { titleOf } from './title.ts';

/** `updatedAt` has an index: while deltas come it is as exact as this. */
const UPDATED_STEP_MS = 1000;

/** What appending changes in a session's row. */
type Progress = Pick<SessionRow, 'pk' | 'lastSeq' | 'turnSeq' | 'title'>;

/**
 * Appends entries of many sessions in one transaction. The numbers come from the session's row, which the transaction
 * has locked: however many processes append, they stay unique and without a gap.
 */
export function createLogAppender(
  db: SessionDatabase,
  rows: SessionRows,
): (batches: readonly LogBatch[]) => AppendResult[] {
  const writer = createEntryWriter(db);
  const appendOne = ({ sessionId, entries }: LogBatch): AppendResult => {
    const row = rows.findProgress(sessionId);
    if (!row) return { error: sessionNotFound(sessionId) };
    const progress: Progress = { ...row };
    const stored = entries.flatMap((entry) => writer.write(entry, progress, sessionId));
    writer.finish(progress, row);
    return { events: stored };
  };
  return (batches) => {
    try {
      return db.transaction(() => batches.map(appendOne), { behavior: 'immediate' });
    } catch (error) {
      writer.forget();
      throw error;
    }
  };
}

function createEntryWriter(db: SessionDatabase) {
  const history = createHistoryWriter(db);
  const drawn = createDrawnCodeWriter(db);
  const write = createEventWriter(db, drawn);
  const ofThis = eq(sessions.pk, sql.placeholder('pk'));
  const lastSeq = sql`${sql.placeholder('lastSeq')}`;
  const count = db.update(sessions).set({ lastSeq }).where(ofThis).prepare();
  const update = db
    .update(sessions)
    .set({
      lastSeq,
      turnSeq: sql`${sql.placeholder('turnSeq')}`,
      title: sql`${sql.placeholder('title')}`,
      updatedAt: sql`${sql.placeholder('updatedAt')}`,
    })
    .where(ofThis)
    .prepare();
  return {
    forget: drawn.forget,
    write: (entry: LogEntry, progress: Progress, sessionId: string): ToolpostEvent[] =>
      writeEntry(entry, { progress, sessionId, history, write }),
    finish({ pk, lastSeq, turnSeq, title }: Progress, before: Progress & Pick<SessionRow, 'updatedAt'>): void {
      const now = Date.now();
      const isSameTurn = turnSeq === before.turnSeq && title === before.title;
      // The clock may be set back: the time is right again with the next event.
      if (isSameTurn && Math.abs(now - before.updatedAt) < UPDATED_STEP_MS) count.run({ pk, lastSeq });
      else update.run({ pk, lastSeq, turnSeq, title, updatedAt: now });
    },
  };
}

type WriteEvent = (event: Pick<ToolpostEvent, 'sessionId' | 'at'> & { body: EventBody }, progress: Progress) => void;

interface EntryContext {
  readonly progress: Progress;
  readonly sessionId: string;
  readonly history: HistoryWriter;
  readonly write: WriteEvent;
}

function writeEntry(entry: LogEntry, { progress, sessionId, history, write }: EntryContext): ToolpostEvent[] {
  if (entry.type === 'message') history.append(progress.pk, entry.message);
  else if (entry.type === 'history') history.replace(progress.pk, entry.messages);
  else {
    progress.lastSeq += 1;
    write({ body: entry.body, at: entry.at, sessionId }, progress);
    return [{ ...entry.body, sessionId, seq: progress.lastSeq, at: entry.at }];
  }
  return [];
}

function createEventWriter(db: SessionDatabase, drawn: DrawnCodeWriter): WriteEvent {
  const insert = db
    .insert(events)
    .values({
      session: sql.placeholder('pk'),
      seq: sql.placeholder('seq'),
      at: sql.placeholder('at'),
      body: sql.placeholder('body'),
    })
    .prepare();
  const count = db
    .insert(usage)
    .values({
      session: sql.placeholder('pk'),
      turnSeq: sql.placeholder('turnSeq'),
      inputTokens: sql.placeholder('inputTokens'),
      outputTokens: sql.placeholder('outputTokens'),
      totalTokens: sql.placeholder('totalTokens'),
    })
    .onConflictDoUpdate({
      target: [usage.session, usage.turnSeq],
      set: {
        inputTokens: sql`excluded.input_tokens`,
        outputTokens: sql`excluded.output_tokens`,
        totalTokens: sql`excluded.total_tokens`,
      },
    })
    .prepare();

  return ({ body, at, sessionId }, progress) => {
    const { pk, lastSeq: seq } = progress;
    const kept = drawn.write(body, sessionId, { session: pk, seq });
    insert.run({ pk, seq, at, body: JSON.stringify(kept) });
    if (body.type === 'turn-start') {
      progress.turnSeq = seq;
      progress.title ||= titleOf(body.text);
    }
    // Its numbers are sums within the turn: the last one counts.
    if (body.type === 'usage') {
      const { inputTokens, outputTokens, totalTokens } = body;
      count.run({ pk, turnSeq: progress.turnSeq ?? seq, inputTokens, outputTokens, totalTokens });
    }
    if (body.type === 'turn-end' || body.type === 'turn-error') progress.turnSeq = null;
  };
}
