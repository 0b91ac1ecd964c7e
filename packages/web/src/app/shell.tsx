import { useCallback, useEffect, useState } from 'react';
import { PluginsPage } from '../pages/plugins-page.tsx';
import { ToolsPage } from '../pages/tools-page.tsx';
import { SessionPage } from '../session/session-page.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Boundary } from './boundary.tsx';
import { isSignedOut, messageOf, useConnection } from './connection.ts';
import { HomePage } from './home-page.tsx';
import { go, hashOf, usePlace } from './place.ts';
import { Sidebar } from './sidebar.tsx';
import { UpdateNotice } from './update-notice.tsx';
import { useLoaded } from './use-loaded.ts';

const REFRESH_MS = 15_000;

/** The list of sessions, and beside it the page that the address names. */
export function Shell({ onSignedOut }: { readonly onSignedOut: (why: string) => void }) {
  const { client, attempt } = useConnection();
  const place = usePlace();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [search, setSearch] = useState('');
  const { sessions, refresh, setStage } = useSessions(search, onSignedOut);
  const hash = hashOf(place);
  // The menu of a phone goes when another page is chosen.
  useEffect(() => {
    if (hash) setMenuOpen(false);
  }, [hash]);

  const create = useCallback(
    async (text?: string): Promise<boolean> => {
      const session = await attempt(client.createSession());
      if (!session) return false;
      if (text !== undefined && !(await attempt(client.postMessage(session.id, { text })))) return false;
      refresh();
      go({ page: 'session', id: session.id });
      return true;
    },
    [client, attempt, refresh],
  );

  const menuButton = (
    <IconButton
      className="menu-button"
      icon="menu"
      label="Sessions"
      aria-expanded={isMenuOpen}
      onClick={() => setMenuOpen(!isMenuOpen)}
    />
  );
  return (
    <div className="shell">
      <Sidebar
        sessions={sessions}
        place={place}
        search={search}
        isOpen={isMenuOpen}
        onSearch={setSearch}
        onNew={() => void create()}
        onClose={() => setMenuOpen(false)}
      />
      <main>
        <UpdateNotice />
        <Boundary key={hash} what="this page">
          {place.page === 'session' && (
            <SessionPage key={place.id} id={place.id} menuButton={menuButton} onChange={refresh} onStage={setStage} />
          )}
          {place.page === 'tools' && <ToolsPage name={place.name} menuButton={menuButton} />}
          {place.page === 'plugins' && <PluginsPage menuButton={menuButton} />}
          {place.page === 'home' && <HomePage menuButton={menuButton} onStart={create} />}
        </Boundary>
      </main>
    </div>
  );
}

/** Sessions change in other tabs and by other clients too. */
function useSessions(search: string, onSignedOut: (why: string) => void) {
  const { client } = useConnection();
  const [asked, setAsked] = useState(0);
  const [stage, setStage] = useState('');
  const refresh = useCallback(() => setAsked((count) => count + 1), []);
  const words = search.trim();
  const load = useCallback(
    () => client.listSessions({ limit: 200, ...(words !== '' && { search: words }) }),
    [client, words],
  );
  const onError = useCallback((error: unknown) => isSignedOut(error) && onSignedOut(messageOf(error)), [onSignedOut]);
  const list = useLoaded(load, `${asked} ${stage}`, onError);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && refresh(), REFRESH_MS);
    addEventListener('focus', refresh);
    return () => {
      clearInterval(timer);
      removeEventListener('focus', refresh);
    };
  }, [refresh]);
  return { sessions: list?.sessions, refresh, setStage };
}
