import type { ApiTool } from '@toolpost/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { hashOf } from '../app/place.ts';
import { plainLine } from '../text/plain-text.ts';
import { ToolDetail } from './tool-detail.tsx';

interface ToolsPageProps {
  readonly name: string | undefined;
  readonly menuButton: ReactNode;
}

/** The tools that a new session sees, and all about one of them. */
export function ToolsPage({ name, menuButton }: ToolsPageProps) {
  const { client, attempt } = useConnection();
  const [tools, setTools] = useState<readonly ApiTool[]>();
  const [search, setSearch] = useState('');
  useEffect(() => {
    document.title = 'Tools · Toolpost';
    void attempt(client.tools()).then(setTools);
  }, [client, attempt]);
  const words = search.toLowerCase().split(/\s+/);
  const found = (tools ?? []).filter((tool) => {
    const text = `${tool.name} ${tool.plugin} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const chosen = tools?.find((tool) => tool.name === name);
  return (
    <div className={name === undefined ? 'page' : 'page has-detail'}>
      <header className="page-header">
        {menuButton}
        <h1>Tools</h1>
        <input
          type="search"
          className="filter"
          aria-label="Search tools, or ask about any name"
          placeholder="Search tools"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </header>
      <div className="columns">
        <ul className="item-list" aria-label="Tools" aria-busy={tools === undefined}>
          {found.map((tool) => (
            <li key={tool.name}>
              <a
                href={hashOf({ page: 'tools', name: tool.name })}
                aria-current={tool.name === name ? 'true' : undefined}
                ref={tool.name === name ? bringIntoSight : undefined}
              >
                <span className="item-name">{plainLine(tool.name)}</span>
                <span className="dim">{plainLine(tool.plugin)}</span>
                <span className="item-text">{plainLine(tool.description)}</span>
              </a>
            </li>
          ))}
          {tools && found.length === 0 && (
            <li className="empty-item">
              <p>No tool has these words.</p>
              <p>
                <a href={hashOf({ page: 'tools', name: search.trim() })}>Why is there no “{search.trim()}”?</a>
              </p>
            </li>
          )}
        </ul>
        {name !== undefined && tools && <ToolDetail key={name} name={name} tool={chosen} />}
        {name === undefined && tools && found.length > 0 && (
          <div className="empty beside">
            <p>Choose a tool to see what it takes, and what decides whether it may run.</p>
          </div>
        )}
      </div>
    </div>
  );
}

/** One that an address names may be far down the list. */
function bringIntoSight(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest' });
}
