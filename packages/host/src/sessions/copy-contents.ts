import { sep } from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import { copyOutputs } from './copy-outputs.ts';
import type { SessionDatabase } from './session-rows.ts';

/** A row, and the folder of the whole texts of its capped results; undefined when nothing is on disk. */
export interface SessionContents {
  readonly pk: number;
  readonly folder: string | undefined;
}

/**
 * Copies history, usage and whole texts of one session to another. What names a file of the old session's folder names the
 * new one's.
 * @throws HostError SESSION_STORE_FAILED
 */
export function copyHistory(db: SessionDatabase, from: SessionContents, to: SessionContents): void {
  if (from.folder !== undefined && to.folder !== undefined) copyOutputs(from.folder, to.folder);
  const body = renamed(from.folder, to.folder);
  db.run(
    sql`INSERT INTO messages (session, position, body) SELECT ${to.pk}, position, ${body} FROM messages WHERE session = ${from.pk}`,
  );
  db.run(
    sql`INSERT INTO usage (session, turn_seq, input_tokens, output_tokens, total_tokens)
        SELECT ${to.pk}, turn_seq, input_tokens, output_tokens, total_tokens FROM usage WHERE session = ${from.pk}`,
  );
}

/** A part of a log. */
export interface SeqRange {
  readonly afterSeq: number;
  readonly lastSeq: number;
}

/** Copies a part of the log. Events carry no session's id in their body. */
export function copyEvents(
  db: SessionDatabase,
  [from, to]: readonly [SessionContents, SessionContents],
  { afterSeq, lastSeq }: SeqRange,
): void {
  const body = renamed(from.folder, to.folder);
  const part = sql`session = ${from.pk} AND seq > ${afterSeq} AND seq <= ${lastSeq}`;
  db.run(sql`INSERT INTO events (session, seq, at, body) SELECT ${to.pk}, seq, at, ${body} FROM events WHERE ${part}`);
  // As it is: what is kept of the text before is a number of characters.
  db.run(
    sql`INSERT INTO drawn_code (session, chain, seq, kept, added)
        SELECT ${to.pk}, chain, seq, kept, added FROM drawn_code WHERE ${part}`,
  );
}

function renamed(from: string | undefined, to: string | undefined): SQL {
  if (from === undefined || to === undefined) return sql`body`;
  return sql`replace(body, ${inJson(from)}, ${inJson(to)})`;
}

/** With the separator behind it: another folder's name may begin like this one. */
function inJson(folder: string): string {
  return JSON.stringify(`${folder}${sep}`).slice(1, -1);
}
