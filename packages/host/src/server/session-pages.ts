import type { SessionFilter, StoredSession } from '../sessions/session-store.ts';

type List = (filter: SessionFilter) => StoredSession[];

export interface SessionPageOptions {
  readonly filter: Pick<SessionFilter, 'tenant' | 'user' | 'channel'>;
  /** Words that a title has to hold, in any order and case. */
  readonly search?: string | undefined;
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface SessionPage {
  readonly sessions: readonly StoredSession[];
  readonly next?: string;
}

const ROWS_AT_ONCE = 200;

/** One page of sessions, the last changed first. Undefined for a cursor that is none. */
export function pageOf(
  list: List,
  { filter, search = '', limit, cursor }: SessionPageOptions,
): SessionPage | undefined {
  const from = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && !from) return undefined;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const sessions: StoredSession[] = [];
  for (const stored of allFrom((page) => list({ ...filter, ...page }), from)) {
    const title = stored.title.toLowerCase();
    if (!words.every((word) => title.includes(word))) continue;
    const last = sessions.at(-1);
    if (sessions.length === limit && last) return { sessions, next: `${last.updatedAt}.${last.session.id}` };
    sessions.push(stored);
  }
  return { sessions };
}

interface Cursor {
  readonly at: number;
  readonly id: string;
}

function readCursor(cursor: string): Cursor | undefined {
  const [, at, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

/** Everything behind a cursor. Sessions may have changed at the same time: those at the border of two pages are told apart. */
function* allFrom(list: List, from: Cursor | undefined): Generator<StoredSession> {
  let before = from && from.at + 1;
  let known = from ? idsUpTo(list({ before, limit: ROWS_AT_ONCE }), from) : new Set<string>();
  for (let limit = ROWS_AT_ONCE; ; ) {
    const page = list({ before, limit });
    const fresh = page.filter(({ session }) => !known.has(session.id));
    yield* fresh;
    const oldest = page.at(-1)?.updatedAt;
    if (oldest === undefined || page.length < limit) return;
    limit = fresh.length === 0 ? limit * 2 : ROWS_AT_ONCE;
    before = oldest + 1;
    known = new Set(page.filter(({ updatedAt }) => updatedAt === oldest).map(({ session }) => session.id));
  }
}

/** Those of the cursor's time that came before it, and it itself. */
function idsUpTo(page: readonly StoredSession[], { at, id }: Cursor): Set<string> {
  const ofThatTime = page.filter(({ updatedAt }) => updatedAt === at).map(({ session }) => session.id);
  return new Set(ofThatTime.slice(0, ofThatTime.indexOf(id) + 1));
}
