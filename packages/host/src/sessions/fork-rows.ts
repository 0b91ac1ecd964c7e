import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session } from '@toolpost/protocol';
import { eq } from 'drizzle-orm';
import { copyEvents, copyHistory, type SessionContents } from './copy-contents.ts';
import { type HiddenSessions, PIECE_EVENTS } from './hidden-sessions.ts';
import type { Guard } from './inbox.ts';
import { sessions } from './schema.ts';
import type { SessionDatabase, SessionRow, SessionRows } from './session-rows.ts';
import type { TurnOwner } from './turn-owner.ts';

export type NewRow = Pick<SessionRow, 'title' | 'model'> & Partial<Pick<SessionRow, 'lastSeq' | 'turnSeq' | 'hidden'>>;

export interface ForkParts {
  readonly rows: SessionRows;
  readonly owner: TurnOwner;
  readonly hidden: HiddenSessions;
  readonly insert: (session: Session, given: NewRow) => SessionRow;
  readonly contentsOf: (row: SessionRow) => SessionContents;
}

/** What is to be copied, and the row that it goes to. */
interface Copying {
  readonly from: SessionRow;
  readonly to: SessionRow;
}

/**
 * Copies a session as it is now. A long log goes over in pieces, into a row that nobody sees before it is whole.
 * @throws HostError SESSION_NOT_FOUND, also when it is deleted meanwhile, or SESSION_STORE_FAILED.
 */
export function createForker(db: SessionDatabase, guarded: Guard, parts: ForkParts) {
  const { rows, owner, hidden, insert, contentsOf } = parts;
  const alone = <Given extends unknown[], Value>(work: (...given: Given) => Value) =>
    guarded((...given: Given) => db.transaction(() => work(...given), { behavior: 'immediate' }));

  const copyPiece = ({ from, to }: Copying, afterSeq: number) => {
    const lastSeq = Math.min(from.lastSeq, afterSeq + PIECE_EVENTS);
    copyEvents(db, [contentsOf(from), contentsOf(to)], { afterSeq, lastSeq });
  };
  const begin = alone((id: string, newId: string): Copying => {
    const from = rows.need(id);
    const isShort = from.lastSeq <= PIECE_EVENTS;
    const to = insert({ ...from, id: newId, chatId: newId }, { ...from, hidden: isShort ? null : owner.text });
    copyHistory(db, contentsOf(from), contentsOf(to));
    copyPiece({ from, to }, 0);
    return { from, to };
  });
  const goOn = alone(copyPiece);
  const show = alone(({ from, to }: Copying): SessionRow => {
    // One that was deleted meanwhile may have lost events before they were copied.
    rows.need(from.id);
    db.update(sessions).set({ hidden: null }).where(eq(sessions.pk, to.pk)).run();
    return rows.need(to.id);
  });
  const giveUp = guarded(({ to }: Copying) => hidden.remove(to.pk));

  return async (id: string, newId: string): Promise<SessionRow> => {
    const copying = begin(id, newId);
    if (copying.to.hidden === null) return copying.to;
    try {
      for (let seq = PIECE_EVENTS; seq < copying.from.lastSeq; seq += PIECE_EVENTS) {
        await nextTurn();
        goOn(copying, seq);
      }
      return show(copying);
    } catch (error) {
      giveUp(copying);
      throw error;
    }
  };
}
