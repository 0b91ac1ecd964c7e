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
  let known = from ? idsUpTo(list, from) : new Set<string>();
  for (;;) {
    // More than what is known, so that each page has something new.
    const limit = known.size + ROWS_AT_ONCE;
    const page = list({ before, limit });
    yield* page.filter(({ session }) => !known.has(session.id));
    const oldest = page.at(-1)?.updatedAt;
    if (oldest === undefined || page.length < limit) return;
    before = oldest + 1;
    known = new Set(idsOf(page, oldest));
  }
}

/** Those of the cursor's time that came before it, and it itself; none when it is not of that time any more. */
function idsUpTo(list: List, { at, id }: Cursor): Set<string> {
  for (let limit = ROWS_AT_ONCE; ; limit *= 2) {
    const page = list({ before: at + 1, limit });
    const ids = idsOf(page, at);
    if (ids.includes(id)) return new Set(ids.slice(0, ids.indexOf(id) + 1));
    if (ids.length < limit) return new Set();
  }
}

function idsOf(page: readonly StoredSession[], at: number): string[] {
  return page.filter(({ updatedAt }) => updatedAt === at).map(({ session }) => session.id);
}
