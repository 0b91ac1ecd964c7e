import { setTimeout as sleep } from 'node:timers/promises';
import { readLog } from '../sessions/read-log.ts';
import type { LogEntry, SessionStore, TurnClaim } from '../sessions/session-store.ts';
import { closeInterruptedTurn } from './close-interrupted-turn.ts';

/** How often it is looked whether another process is done with a session. */
const POLL_MS = 100;

/**
 * Takes the session for a turn, after the one that another process runs in it. Undefined when the wait was cancelled.
 * @throws HostError SESSION_NOT_FOUND
 */
export async function claimTurn(
  store: SessionStore,
  id: string,
  abortSignal: AbortSignal,
): Promise<Exclude<TurnClaim, 'busy'> | undefined> {
  for (;;) {
    const claim = store.beginTurn(id);
    if (claim !== 'busy') return claim;
    await sleep(POLL_MS, undefined, { signal: abortSignal }).catch(() => undefined);
    if (abortSignal.aborted) return undefined;
  }
}

/** Entries that close the turn which was left open in the log and the history of a session; none when none was. */
export function closingEntries(store: SessionStore, id: string, why?: string): LogEntry[] {
  const startSeq = store.get(id)?.openTurn?.startSeq ?? 0;
  if (startSeq === 0) return [];
  const turn = readLog((page) => store.events(id, page), startSeq - 1);
  return closeInterruptedTurn(turn, store.history(id), { at: Date.now(), why });
}
