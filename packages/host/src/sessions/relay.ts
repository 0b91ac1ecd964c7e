import type { JsonObject } from '@toolpost/protocol';
import { and, asc, eq, isNull, lt } from 'drizzle-orm';
import type { Guard } from './inbox.ts';
import { relayed, sessions } from './schema.ts';
import type { SessionDatabase, SessionRows } from './session-rows.ts';
import type { TurnOwner } from './turn-owner.ts';

/** Whoever asked has given up by then: what a process that was stopped finds later is not done any more. */
const MAX_AGE_MS = 30_000;

/** What one process of a home asks of another one, which runs the turn of a session. */
export interface RelayedRequest {
  readonly pk: number;
  readonly sessionId: string;
  readonly request: JsonObject;
}

/** Requests between the processes of a home, in `sessions.db`: each goes to the very store that holds the session's turn. */
export interface Relay {
  /** Leaves a request for whoever has the turn now. Undefined when nobody has, or this store itself. */
  ask(sessionId: string, request: JsonObject): number | undefined;
  /** What is asked of this store and has no answer yet, the oldest first. */
  waiting(): RelayedRequest[];
  answer(pk: number, answer: JsonObject): void;
  /** The answer, undefined while there is none. It is there until `end`. */
  answerTo(pk: number): JsonObject | undefined;
  /** Takes the request back, done or not: after that nobody does it. Returns the answer that had come. */
  end(pk: number): JsonObject | undefined;
}

interface RelayParts {
  readonly rows: SessionRows;
  readonly owner: TurnOwner;
}

export function createRelay(db: SessionDatabase, guarded: Guard, { rows, owner }: RelayParts): Relay {
  const answerTo = (pk: number) =>
    db.select({ answer: relayed.answer }).from(relayed).where(eq(relayed.pk, pk)).get()?.answer ?? undefined;
  return {
    ask: guarded((sessionId, request) => {
      const { pk: session, turnOwner } = rows.need(sessionId);
      if (turnOwner === null || turnOwner === owner.text) return undefined;
      const at = Date.now();
      // Left by processes that were killed while they waited.
      db.delete(relayed)
        .where(lt(relayed.at, at - MAX_AGE_MS))
        .run();
      const row = db.insert(relayed).values({ session, owner: turnOwner, request, at }).returning({ pk: relayed.pk });
      return row.get().pk;
    }),
    waiting: guarded(() =>
      db
        .select({ pk: relayed.pk, sessionId: sessions.id, request: relayed.request, at: relayed.at })
        .from(relayed)
        .innerJoin(sessions, eq(sessions.pk, relayed.session))
        .where(and(eq(relayed.owner, owner.text), isNull(relayed.answer)))
        .orderBy(asc(relayed.pk))
        .all()
        .filter(({ at }) => Math.abs(Date.now() - at) < MAX_AGE_MS),
    ),
    answer: guarded((pk, answer) => {
      db.update(relayed).set({ answer }).where(eq(relayed.pk, pk)).run();
    }),
    answerTo: guarded(answerTo),
    end: guarded((pk) =>
      db.transaction(
        () => {
          const answer = answerTo(pk);
          db.delete(relayed).where(eq(relayed.pk, pk)).run();
          return answer;
        },
        { behavior: 'immediate' },
      ),
    ),
  };
}
