import { randomUUID } from 'node:crypto';
import { eq, isNotNull, sql } from 'drizzle-orm';
import { sessions } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';
import type { TurnOwner } from './turn-owner.ts';

/** Events that one transaction copies or removes: some ten milliseconds in which nobody else is served. */
export const PIECE_EVENTS = 2000;

/** In the place of an owner: what was deleted. */
const GONE = 'gone';

/**
 * Sessions that nobody sees: copies that are being made, and what is left of deleted ones. A long log is copied and removed
 * in pieces, so that the others are served meanwhile. What a killed process left is removed by the next one.
 */
export interface HiddenSessions {
  /** Hides it at once, whatever its name was is free again, and removes it by and by. */
  remove(pk: number): void;
  /** What still has to be removed, now. */
  finish(): void;
}

export function createHiddenSessions(db: SessionDatabase, owner: TurnOwner): HiddenSessions {
  const leaving = new Set(leftBehind(db, owner));
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || leaving.size === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      try {
        removeNext();
      } catch {
        // The database is busy or full, or was closed: it is done when the home is opened again.
        return;
      }
      schedule();
    }).unref();
  }

  function removeNext(): void {
    for (const pk of leaving) {
      if (removePiece(db, pk)) leaving.delete(pk);
      return;
    }
  }

  schedule();
  return {
    remove(pk) {
      const name = `${GONE} ${randomUUID()}`;
      db.update(sessions).set({ hidden: GONE, id: name, chatId: name }).where(eq(sessions.pk, pk)).run();
      leaving.add(pk);
      schedule();
    },
    finish() {
      while (leaving.size > 0) removeNext();
    },
  };
}

function leftBehind(db: SessionDatabase, owner: TurnOwner): number[] {
  const { pk, hidden, updatedAt } = sessions;
  const rows = db.select({ pk, hidden, updatedAt }).from(sessions).where(isNotNull(hidden)).all();
  const isLeft = (row: (typeof rows)[number]) =>
    row.hidden === null || row.hidden === GONE || !owner.isRunning(row.hidden, row.updatedAt);
  return rows.filter(isLeft).map((row) => row.pk);
}

/** Returns whether nothing of it is left. */
function removePiece(db: SessionDatabase, pk: number): boolean {
  return db.transaction(
    () => {
      for (const table of ['events', 'drawn_code'].map((name) => sql.raw(name))) {
        const some = sql`SELECT rowid FROM ${table} WHERE session = ${pk} LIMIT ${PIECE_EVENTS}`;
        const { changes } = db.run(sql`DELETE FROM ${table} WHERE rowid IN (${some})`);
        if (changes === PIECE_EVENTS) return false;
      }
      db.delete(sessions).where(eq(sessions.pk, pk)).run();
      return true;
    },
    { behavior: 'immediate' },
  );
}
