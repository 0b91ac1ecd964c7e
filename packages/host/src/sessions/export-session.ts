import { readLog } from './read-log.ts';
import { toMarkdown } from './session-markdown.ts';
import type { SessionStore, StoredSession } from './session-store.ts';

/** All that is kept of a session, as one text in pieces: a Markdown document, or JSON with every event. */
export function exportSession(
  store: SessionStore,
  stored: StoredSession,
  format: 'markdown' | 'json',
): Generator<string> {
  const { id } = stored.session;
  const log = readLog((page) => store.events(id, page));
  return format === 'json' ? toJson(toSessionListing(store, stored), log) : toMarkdown(stored, store.usage(id), log);
}

/** A session as lists show it to programs. */
export function toSessionListing(
  store: SessionStore,
  { session, openTurn, epoch: _epoch, lastSeq, ...rest }: StoredSession,
) {
  return {
    ...session,
    ...rest,
    events: lastSeq,
    isRunning: openTurn?.isRunning === true,
    usage: store.usage(session.id),
  };
}

/** Piece by piece: a log may be larger than what a string holds. */
function* toJson(session: object, log: Iterable<object>): Generator<string> {
  yield `{"session":${JSON.stringify(session)},"events":[`;
  let separator = '\n';
  for (const event of log) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}
