import type { EventBody, JsonObject } from '@toolpost/protocol';
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm';
import { drawnCode } from './schema.ts';
import type { SessionDatabase } from './session-rows.ts';

type Drawn = Extract<EventBody, { type: 'ui-delta' }>;

/** More calls than are drawn at once; a call that is forgotten begins a chain anew. */
const MAX_CHAINS = 100;

/** What was stored last of one call. */
interface Chain {
  readonly session: number;
  /** The number of its first event. */
  readonly first: number;
  readonly seq: number;
  readonly code: string;
}

/** Where an event stands: its session's row and its number. */
interface Place {
  readonly session: number;
  readonly seq: number;
}

/**
 * A `ui-delta` carries the whole code so far, and there are many of one call. Each is kept as what has changed since the
 * one before: events of a call are a chain, named by the number of its first one.
 */
export interface DrawnCodeWriter {
  /** The body as it is kept. */
  write(body: EventBody, sessionId: string, place: Place): object;
  /** What was written last was not kept. */
  forget(): void;
}

export function createDrawnCodeWriter(db: SessionDatabase): DrawnCodeWriter {
  const chains = new Map<string, Chain>();
  const insert = db
    .insert(drawnCode)
    .values({
      session: sql.placeholder('session'),
      chain: sql.placeholder('chain'),
      seq: sql.placeholder('seq'),
      kept: sql.placeholder('kept'),
      added: sql.placeholder('added'),
    })
    .prepare();

  function draw({ code, ...body }: Drawn, sessionId: string, { session, seq }: Place): object {
    const key = `${sessionId} ${body.toolCallId}`;
    const known = chains.get(key);
    const before = known?.session === session && known.seq < seq ? known : undefined;
    const chain = before?.first ?? seq;
    const kept = commonLength(before?.code ?? '', code);
    // As JSON: half a surrogate pair has no place in the text of a database.
    insert.run({ session, chain, seq, kept, added: JSON.stringify(code.slice(kept)) });
    chains.delete(key);
    chains.set(key, { session, first: chain, seq, code });
    for (const oldest of chains.keys()) if (chains.size > MAX_CHAINS) chains.delete(oldest);
    return { ...body, chain };
  }

  return {
    write(body, sessionId, place) {
      if (body.type === 'ui-delta') return draw(body, sessionId, place);
      if (body.type === 'tool-call-start') chains.delete(`${sessionId} ${body.toolCallId}`);
      if (body.type === 'turn-end' || body.type === 'turn-error')
        for (const key of chains.keys()) if (key.startsWith(`${sessionId} `)) chains.delete(key);
      return body;
    },
    forget: () => chains.clear(),
  };
}

/** Puts the codes of one page's events together, each chain going on from where it was last. */
export type DrawnCodeReader = (body: JsonObject, seq: number) => JsonObject;

export function createDrawnCodeReader(db: SessionDatabase): (session: number) => DrawnCodeReader {
  const between = db
    .select({ kept: drawnCode.kept, added: drawnCode.added })
    .from(drawnCode)
    .where(
      and(
        eq(drawnCode.session, sql.placeholder('session')),
        eq(drawnCode.chain, sql.placeholder('chain')),
        gt(drawnCode.seq, sql.placeholder('after')),
        lte(drawnCode.seq, sql.placeholder('seq')),
      ),
    )
    .orderBy(asc(drawnCode.seq))
    .prepare();
  return (session) => {
    const chains = new Map<number, { seq: number; code: string }>();
    return ({ chain, ...body }, seq) => {
      if (typeof chain !== 'number') return body;
      const known = chains.get(chain) ?? { seq: 0, code: '' };
      let { code } = known;
      for (const { kept, added } of between.all({ session, chain, after: known.seq, seq }))
        code = code.slice(0, kept) + JSON.parse(added);
      chains.set(chain, { seq, code });
      return { ...body, code };
    };
  };
}

/** The characters that both texts begin with. */
function commonLength(before: string, code: string): number {
  if (code.startsWith(before)) return before.length;
  let length = 0;
  while (length < before.length && before.charCodeAt(length) === code.charCodeAt(length)) length++;
  return length;
}
