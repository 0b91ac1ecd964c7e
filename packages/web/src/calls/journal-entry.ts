import type { JsonObject } from '@toolpost/protocol';

/** What the journal tells of one call, by its id and session; undefined while it is not written. */
export function findEntry(
  entries: readonly JsonObject[],
  { id, sessionId }: { readonly id: string; readonly sessionId: string },
): JsonObject | undefined {
  return entries.findLast((entry) => entry.id === id && entry.session === sessionId);
}

/** The day of UTC, as the journal is kept by. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
