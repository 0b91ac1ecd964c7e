import type { ApiPlugin, ApiPluginReload } from '@toolpost/protocol';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useConnection } from '../app/connection.ts';
import { useLoaded } from '../app/use-loaded.ts';
import { plainLine } from '../text/plain-text.ts';
import { PluginCard } from './plugin-card.tsx';

const REFRESH_MS = 5000;

/** What plugins there are, which of them run, and why not. */
export function PluginsPage({ menuButton }: { readonly menuButton: ReactNode }) {
  const { client, attempt, say } = useConnection();
  const [plugins, setPlugins] = useState<readonly ApiPlugin[]>();
  const [isBusy, setBusy] = useState(false);
  const load = useCallback(() => client.status(), [client]);
  const mayReload = useLoaded(load, 0)?.isOperator === true;
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

  /** Does one thing at a time, and says what came of it. */
  async function act(request: () => Promise<string>): Promise<void> {
    setBusy(true);
    const done = await attempt(request());
    if (done !== undefined) say(done);
    await refresh();
    setBusy(false);
  }
  const stop = (id: string) => act(() => client.stopPlugin(id).then(() => `${plainLine(id)} was stopped`));
  const restart = (id: string) => act(() => client.restartPlugin(id).then(() => `${plainLine(id)} was restarted`));

  return (
    <div className="page">
      <header className="page-header">
        {menuButton}
        <h1>Plugins</h1>
        {mayReload && (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            title="Finds plugins that are new, changed or gone"
            onClick={() => void act(async () => whatChanged(await client.reloadPlugins()))}
          >
            Reload
          </button>
        )}
      </header>
      <ul className="plugins" aria-label="Plugins" aria-busy={plugins === undefined}>
        {(plugins ?? []).map((plugin) => (
          <PluginCard
            key={`${plugin.id} ${plugin.dir}`}
            {...{ plugin, isBusy }}
            onRestart={() => void restart(plugin.id)}
            onStop={() => void stop(plugin.id)}
          />
        ))}
      </ul>
      {plugins?.length === 0 && (
        <div className="empty">
          <p>There are no plugins. The built-in tools work without any.</p>
        </div>
      )}
    </div>
  );
}

function whatChanged({ added, changed, removed, broken }: ApiPluginReload): string {
  const parts = [
    ['new', added],
    ['read again', changed],
    ['gone', removed],
    ['do not work', broken.map(({ id }) => id)],
  ] as const;
  const said = parts.flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what}: ${ids.map(plainLine).join(', ')}`]));
  return said.length === 0 ? 'The plugins are as they were' : said.join('; ');
}
