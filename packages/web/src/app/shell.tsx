import { useCallback, useEffect, useState } from 'react';
import { PluginsPage } from '../pages/plugins-page.tsx';
import { ToolsPage } from '../pages/tools-page.tsx';
import { SessionPage } from '../session/session-page.tsx';
import { noteSessionMadeHere } from '../session/session-store.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { useEscape } from '../ui/use-escape.ts';
import { Boundary } from './boundary.tsx';
import { useConnection } from './connection.ts';
import { HomePage } from './home-page.tsx';
import { go, hashOf, usePlace } from './place.ts';
import { Sidebar } from './sidebar.tsx';
import { UpdateNotice } from './update-notice.tsx';
import { useSessions } from './use-sessions.ts';

/** The list of sessions, and beside it the page that the address names. */
export function Shell({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const { client, attempt } = useConnection();
  const place = usePlace();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [search, setSearch] = useState('');
  const { list, more, refresh, setStage } = useSessions(search, onSignedOut);
  const hash = hashOf(place);
  useEscape('sessions', isMenuOpen, () => setMenuOpen(false));
  // The menu of a phone goes when another page is chosen.
  useEffect(() => {
    if (hash) setMenuOpen(false);
  }, [hash]);

  const create = useCallback(
    async (text?: string): Promise<boolean> => {
      const session = await attempt(client.createSession());
      if (!session) return false;
      noteSessionMadeHere(session.id);
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
        list={list}
        place={place}
        search={search}
        isOpen={isMenuOpen}
        onSearch={setSearch}
        onMore={more}
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
