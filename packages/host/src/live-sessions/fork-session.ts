import { createSessionId } from '../session-id.ts';
import type { SessionStore, StoredSession } from '../sessions/session-store.ts';
import { closingEntries } from './claim-turn.ts';

const COPIED = 'This copy was made in the middle of this turn.';

/**
 * Copies a session with all that is kept of it, under an id of its own. A turn that runs in it is cut off in the copy.
 * @throws HostError SESSION_NOT_FOUND or SESSION_STORE_FAILED
 */
export async function forkSession(store: SessionStore, id: string): Promise<StoredSession> {
  const copy = await store.fork(id, createSessionId());
  const entries = closingEntries(store, copy.session.id, COPIED);
  if (entries.length === 0) return copy;
  const [result] = store.append([{ sessionId: copy.session.id, entries }]);
  if (result && 'error' in result) throw result.error;
  return store.get(copy.session.id) ?? copy;
}
