import type { ApiClient, ApiSession, ListSessions } from '@toolpost/protocol';
import { useCallback, useEffect, useState } from 'react';
import { isSignedOut, useConnection } from './connection.ts';
import { useLoaded } from './use-loaded.ts';

export interface SessionList {
  readonly sessions: readonly ApiSession[];
  /** How many pages these are, and whether there are more behind them. */
  readonly pages: number;
  readonly hasMore: boolean;
}

const REFRESH_MS = 15_000;
const PAGE = 100;

/** The sessions that have the words, as many pages as were asked for. They change in other tabs and by other clients too. */
export function useSessions(search: string, onSignedOut: () => void) {
  const { client } = useConnection();
  const [asked, setAsked] = useState(0);
  const [stage, setStage] = useState('');
  const words = search.trim();
  const [wanted, setWanted] = useState({ words, pages: 1 });
  const pages = wanted.words === words ? wanted.pages : 1;
  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  const more = useCallback((upTo: number) => setWanted({ words, pages: upTo }), [words]);
  const load = useCallback(
    () => readPages(client, { limit: PAGE, ...(words !== '' && { search: words }) }, pages),
    [client, words, pages],
  );
  const onError = useCallback((error: unknown) => isSignedOut(error) && onSignedOut(), [onSignedOut]);
  const list = useLoaded(load, `${asked} ${stage}`, onError);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && refresh(), REFRESH_MS);
    addEventListener('focus', refresh);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', refresh);
    };
  }, [refresh]);
  return { list, more, refresh, setStage };
}

async function readPages(client: ApiClient, query: ListSessions, pages: number): Promise<SessionList> {
  const found = new Map<string, ApiSession>();
  let next: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const answer = await client.listSessions({ ...query, ...(next !== undefined && { cursor: next }) });
    for (const session of answer.sessions) found.set(session.id, session);
    next = answer.next;
    if (next === undefined) break;
  }
  return { sessions: [...found.values()], pages, hasMore: next !== undefined };
}
