import { and, eq } from 'drizzle-orm';
import { sessions } from './schema.ts';
import type { SessionDatabase, SessionRow, SessionRows } from './session-rows.ts';
import type { OpenTurn, TurnClaim } from './session-store.ts';
import type { TurnOwner } from './turn-owner.ts';

/** One turn at a time for a session, in whichever process of the home: a claim in its row, which dies with its process. */
export function createTurnClaims(db: SessionDatabase, rows: SessionRows, owner: TurnOwner) {
  const running = new Set<string>();
  const isRunning = ({ id, turnOwner, updatedAt }: SessionRow): boolean => {
    if (turnOwner === null) return false;
    return turnOwner === owner.text ? running.has(id) : owner.isRunning(turnOwner, updatedAt);
  };
  const release = (id: string) => {
    running.delete(id);
    const ours = and(eq(sessions.id, id), eq(sessions.turnOwner, owner.text));
    db.update(sessions).set({ turnOwner: null }).where(ours).run();
  };

  return {
    openTurnOf(row: SessionRow): OpenTurn | undefined {
      if (row.turnOwner === null && row.turnSeq === null) return undefined;
      const { turnOwner } = row;
      const running = isRunning(row);
      const elsewhere = running && turnOwner !== null && turnOwner !== owner.text ? owner.pidOf(turnOwner) : undefined;
      return {
        startSeq: row.turnSeq ?? 0,
        isRunning: running,
        ...(elsewhere !== undefined && { pidElsewhere: elsewhere }),
      };
    },
    begin: (id: string): TurnClaim =>
      db.transaction(
        () => {
          const row = rows.need(id);
          if (isRunning(row)) return 'busy';
          db.update(sessions).set({ turnOwner: owner.text }).where(eq(sessions.pk, row.pk)).run();
          running.add(id);
          return row.turnSeq === null ? 'begun' : 'interrupted';
        },
        { behavior: 'immediate' },
      ),
    end: release,
    endAll(): void {
      for (const id of [...running]) release(id);
    },
  };
}
