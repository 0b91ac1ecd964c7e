import type { ApiPlugin, JsonObject } from '@toolpost/protocol';
import { useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import type { CallEntry } from '../session/entries.ts';

export type Found<T> = { readonly isThere: true; readonly value: T } | { readonly isThere: false };

/** What only the server knows of a call: its entry in the journal, once it has ended, and its plugin as it is now. */
export function useCallDetails(call: CallEntry, sessionId: string) {
  const { client, attempt } = useConnection();
  const [entry, setEntry] = useState<Found<JsonObject>>();
  const [plugin, setPlugin] = useState<ApiPlugin>();
  const { toolCallId, endedAt } = call;
  useEffect(() => {
    let isCurrent = true;
    if (endedAt !== undefined)
      void attempt(client.journal({ day: dayOf(endedAt), callId: toolCallId, sessionId })).then((entries) => {
        if (isCurrent && entries) setEntry(lastOf(entries));
      });
    void attempt(client.plugins()).then((all) => isCurrent && setPlugin(all?.find(({ id }) => id === call.plugin)));
    return () => {
      isCurrent = false;
    };
  }, [client, attempt, toolCallId, sessionId, endedAt, call.plugin]);
  return { entry, plugin };
}

/** A model may use an id again. */
function lastOf(entries: readonly JsonObject[]): Found<JsonObject> {
  const value = entries.at(-1);
  return value ? { isThere: true, value } : { isThere: false };
}

/** The day of UTC, as the journal is kept by. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
