import { sql } from 'drizzle-orm';
import type { SessionDatabase } from './session-rows.ts';

/** Copies history, log and usage of one session's row to another's. Events carry no session's id in their body. */
export function copyContents(db: SessionDatabase, from: number, to: number): void {
  db.run(
    sql`INSERT INTO messages (session, position, body) SELECT ${to}, position, body FROM messages WHERE session = ${from}`,
  );
  db.run(
    sql`INSERT INTO events (session, seq, at, body) SELECT ${to}, seq, at, body FROM events WHERE session = ${from}`,
  );
  db.run(
    sql`INSERT INTO usage (session, turn_seq, input_tokens, output_tokens, total_tokens)
        SELECT ${to}, turn_seq, input_tokens, output_tokens, total_tokens FROM usage WHERE session = ${from}`,
  );
}
