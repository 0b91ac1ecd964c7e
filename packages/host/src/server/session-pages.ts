import type { SessionFilter, StoredSession } from '../sessions/session-store.ts';

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

/** One page of sessions, the last changed first. Undefined for a cursor that is none. */
export function pageOf(
  list: (filter: SessionFilter) => StoredSession[],
  { filter, search = '', limit, cursor }: SessionPageOptions,
): SessionPage | undefined {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && !after) return undefined;
  const words = search.split(/\s+/).filter(Boolean);
  // One more tells whether there is a next page.
  const found = list({ ...filter, words, after, limit: limit + 1 });
  const sessions = found.slice(0, limit);
  const last = sessions.at(-1);
  return found.length > limit && last ? { sessions, next: `${last.updatedAt}.${last.session.id}` } : { sessions };
}

function readCursor(cursor: string): SessionFilter['after'] {
  const [, at, id] = /^(\d{1,15})\.(.+)$/s.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}
