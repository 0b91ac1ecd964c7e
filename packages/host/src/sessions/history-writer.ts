import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { asc, eq, sql } from 'drizzle-orm';
import { messages } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';

export interface HistoryWriter {
  append(session: number, message: LanguageModelV4Message): void;
  replace(session: number, history: readonly LanguageModelV4Message[]): void;
}

export function createHistoryWriter(db: SessionDatabase): HistoryWriter {
  const session = sql.placeholder('session');
  const insert = db
    .insert(messages)
    .values({
      session,
      position: sql`(SELECT coalesce(max(position), 0) + 1 FROM messages WHERE session = ${session})`,
      body: sql.placeholder('body'),
    })
    .prepare();
  const forget = db.delete(messages).where(eq(messages.session, session)).prepare();
  const append = (pk: number, message: LanguageModelV4Message) =>
    void insert.run({ session: pk, body: JSON.stringify(message, bytesAsText) });
  return {
    append,
    replace(pk, history) {
      forget.run({ session: pk });
      for (const message of history) append(pk, message);
    },
  };
}

export function createHistoryReader(db: SessionDatabase): (session: number) => LanguageModelV4Message[] {
  const select = db
    .select({ body: messages.body })
    .from(messages)
    .where(eq(messages.session, sql.placeholder('session')))
    .orderBy(asc(messages.position))
    .prepare();
  return (session) => select.all({ session }).map(({ body }) => JSON.parse(body));
}

/** A file's bytes may be given as they are; JSON has no place for them, and providers take base64 too. */
function bytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
