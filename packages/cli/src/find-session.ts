import type { SessionStore, StoredSession } from '@toolpost/host';
import { UsageError } from './usage-error.ts';

/** Ids that were made within minutes begin alike. */
export const MIN_BEGINNING = 6;

/**
 * The session of an id, or of the beginning of one.
 * @throws UsageError when there is none, or more than one.
 */
export function findSession(store: Pick<SessionStore, 'get' | 'list'>, id: string): StoredSession {
  const exact = store.get(id);
  if (exact) return exact;
  const found =
    id.length < MIN_BEGINNING
      ? []
      : store.list({ limit: 100_000 }).filter(({ session }) => session.id.startsWith(id.toLowerCase()));
  return theOnly(found, id);
}

/** @throws UsageError when there is none, or more than one. */
export function theOnly<T>([only, second]: readonly T[], id: string): T {
  const shown = JSON.stringify(id);
  if (!only) throw new UsageError(`there is no session ${shown}: \`toolpost sessions list\` shows those there are`);
  if (second) throw new UsageError(`several sessions begin with ${shown}: write more of the id`);
  return only;
}
