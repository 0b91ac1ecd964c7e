import type { ApiPlugin } from '@toolpost/protocol';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { hashOf } from '../app/place.ts';
import { formatBytes, formatDuration, plural } from '../text/format.ts';
import { plainLine, plainText } from '../text/plain-text.ts';

const REFRESH_MS = 5000;

/** What plugins there are, which of them run, and why not. */
export function PluginsPage({ menuButton }: { readonly menuButton: ReactNode }) {
  const { client, attempt, say } = useConnection();
  const [plugins, setPlugins] = useState<readonly ApiPlugin[]>();
  const refresh = useCallback(async () => {
    const found = await attempt(client.plugins());
    if (found) setPlugins(found);
  }, [client, attempt]);
  useEffect(() => {
    document.title = 'Plugins · Toolpost';
    void refresh();
    const timer = setInterval(() => !document.hidden && void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh]);

  async function act(id: string, what: 'restart' | 'stop'): Promise<void> {
    const request = what === 'restart' ? client.restartPlugin(id) : client.stopPlugin(id);
    const done = await attempt(request.then(() => true));
    if (done) say(`${id} was ${what === 'restart' ? 'restarted' : 'stopped'}`);
    await refresh();
  }

  return (
    <div className="page">
      <header className="page-header">
        {menuButton}
        <h1>Plugins</h1>
      </header>
      <ul className="plugins" aria-label="Plugins" aria-busy={plugins === undefined}>
        {(plugins ?? []).map((plugin) => (
          <Plugin key={`${plugin.id} ${plugin.dir}`} plugin={plugin} onAct={act} />
        ))}
        {plugins?.length === 0 && <li className="empty-item">There are no plugins.</li>}
      </ul>
    </div>
  );
}

const STATES: Readonly<Record<ApiPlugin['state'], string>> = {
  discovered: 'not started: the first call that needs it starts it',
  active: 'loaded, takes calls',
  inactive: 'disabled, takes no calls',
  error: 'does not work',
};

interface PluginProps {
  readonly plugin: ApiPlugin;
  readonly onAct: (id: string, what: 'restart' | 'stop') => Promise<void>;
}

function Plugin({ plugin, onAct }: PluginProps) {
  const { id, version, runtime, state, tools, error, dir, processes } = plugin;
  return (
    <li className={`plugin ${state}`}>
      <header>
        <h2>{plainLine(id)}</h2>
        <span className="dim">
          {plainLine(runtime)} {plainLine(version)}
        </span>
        <span className={`tag state-${state}`}>{state}</span>
        <span className="dim">{STATES[state]}</span>
        <span className="plugin-acts">
          <button
            type="button"
            className="button"
            aria-label={`Restart ${id}`}
            onClick={() => void onAct(id, 'restart')}
          >
            Restart
          </button>
          {processes.length > 0 && (
            <button type="button" className="button" aria-label={`Stop ${id}`} onClick={() => void onAct(id, 'stop')}>
              Stop
            </button>
          )}
        </span>
      </header>
      {error !== undefined && <p className="note error">{plainText(error)}</p>}
      {tools.length > 0 && (
        <p className="plugin-tools">
          {tools.map((name) => (
            <a key={name} className="tag" href={hashOf({ page: 'tools', name })}>
              {plainLine(name)}
            </a>
          ))}
        </p>
      )}
      {processes.map((process) => (
        <Process key={process.pid} process={process} />
      ))}
      {dir !== undefined && <p className="dim path">{plainLine(dir)}</p>}
    </li>
  );
}

function Process({ process }: { readonly process: ApiPlugin['processes'][number] }) {
  const { pid, ageMs, memoryBytes, restarts, lastStderr, tenant } = process;
  const facts = [
    `process ${pid}`,
    `up ${formatDuration(ageMs)}`,
    memoryBytes === undefined ? undefined : formatBytes(memoryBytes),
    restarts > 0 ? plural(restarts, 'restart') : undefined,
    // Whoever has no tenant has the empty one.
    tenant ? `for ${plainLine(tenant)}` : undefined,
  ];
  return (
    <div className="process">
      <p className="dim">{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      {lastStderr.length > 0 && (
        <details>
          <summary>What it logged last</summary>
          <pre className="plain">{plainText(lastStderr.join('\n'))}</pre>
        </details>
      )}
    </div>
  );
}
