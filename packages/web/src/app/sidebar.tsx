import { useEffect, useRef } from 'react';
import { formatWhen } from '../text/format.ts';
import { plainLine } from '../text/plain-text.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { hashOf, type Place } from './place.ts';
import type { SessionList } from './use-sessions.ts';

interface SidebarProps {
  /** Undefined until they are known. */
  readonly list: SessionList | undefined;
  readonly place: Place;
  readonly search: string;
  /** On a phone, where it lies over the page. */
  readonly isOpen: boolean;
  readonly onSearch: (words: string) => void;
  /** The end of what is known of the list came in sight. */
  readonly onMore: (pages: number) => void;
  readonly onNew: () => void;
  readonly onClose: () => void;
}

export function Sidebar({ list, place, search, isOpen, onSearch, onMore, onNew, onClose }: SidebarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <nav className={isOpen ? 'sidebar open' : 'sidebar'} aria-label="Sessions and pages">
      <div className="sidebar-head">
        <a className="brand" href="#/">
          Toolpost
        </a>
        <IconButton className="close-menu" icon="cross" label="Close the menu" onClick={onClose} />
        <button type="button" className="button" onClick={onNew}>
          <Icon name="plus" /> New
        </button>
      </div>
      <label className="search">
        <Icon name="search" />
        <span className="unseen">Search sessions</span>
        <input
          ref={field}
          type="search"
          placeholder="Search (Ctrl K)"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </label>
      <Sessions list={list} place={place} search={search} onMore={onMore} />
      <ul className="places">
        <PlaceLink
          place={{ page: 'tools', name: undefined }}
          isHere={place.page === 'tools'}
          icon="tool"
          label="Tools"
        />
        <PlaceLink place={{ page: 'plugins' }} isHere={place.page === 'plugins'} icon="plug" label="Plugins" />
      </ul>
    </nav>
  );
}

function Sessions({ list, place, search, onMore }: Pick<SidebarProps, 'list' | 'place' | 'search' | 'onMore'>) {
  const sessions = list?.sessions ?? [];
  if (list && sessions.length === 0)
    return <p className="sidebar-empty dim">{search === '' ? 'No sessions yet' : 'No session has these words'}</p>;
  return (
    <ul className="session-list">
      {sessions.map((session) => (
        <li key={session.id}>
          <a
            href={hashOf({ page: 'session', id: session.id })}
            aria-current={place.page === 'session' && place.id === session.id ? 'page' : undefined}
          >
            <span className="session-title">{plainLine(session.title) || 'New session'}</span>
            {session.isRunning ? (
              <span className="spinner" role="img" aria-label="running" />
            ) : (
              <span className="dim">{formatWhen(session.updatedAt)}</span>
            )}
          </a>
        </li>
      ))}
      {list?.hasMore && <MoreSessions key={list.pages} pages={list.pages + 1} onMore={onMore} />}
    </ul>
  );
}

/** Loads more when it comes in sight. */
function MoreSessions({ pages, onMore }: Pick<SidebarProps, 'onMore'> & { readonly pages: number }) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onMore(pages),
    );
    if (item.current) observer.observe(item.current);
    return () => observer.disconnect();
  }, [pages, onMore]);
  return (
    <li ref={item} className="more-sessions dim">
      Loading more
    </li>
  );
}

interface PlaceLinkProps {
  readonly place: Place;
  readonly isHere: boolean;
  readonly icon: 'tool' | 'plug';
  readonly label: string;
}

function PlaceLink({ place, isHere, icon, label }: PlaceLinkProps) {
  return (
    <li>
      <a href={hashOf(place)} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} /> {label}
      </a>
    </li>
  );
}
