import { type FileDigest, seenBy } from '../builtin/seen-files.ts';
import { readLog } from '../sessions/read-log.ts';
import type { SessionStore } from '../sessions/session-store.ts';

/** What the built-in tools saw of files in the calls of a session that is kept, the oldest first. */
export function* seenBefore(store: SessionStore, id: string): Generator<FileDigest> {
  const about = { types: ['tool-call-end'] };
  for (const event of readLog(({ afterSeq }) => store.events(id, { afterSeq, about })))
    if (event.type === 'tool-call-end') yield* seenBy(event.result);
}
