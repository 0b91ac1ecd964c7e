import { type ReactNode, useCallback, useEffect } from 'react';
import { Composer } from '../session/composer.tsx';
import { modelName } from '../text/plain-text.ts';
import { useConnection } from './connection.ts';
import { Examples } from './examples.tsx';
import { useLoaded } from './use-loaded.ts';

interface HomePageProps {
  readonly menuButton: ReactNode;
  /** Starts a session with this message. Resolves with whether it was taken. */
  readonly onStart: (text: string) => Promise<boolean>;
}

export function HomePage({ menuButton, onStart }: HomePageProps) {
  const { client } = useConnection();
  const load = useCallback(() => client.status(), [client]);
  const status = useLoaded(load, 0);
  useEffect(() => {
    document.title = 'Toolpost';
  }, []);
  return (
    <div className="page home">
      <header className="page-header">{menuButton}</header>
      <div className="empty">
        <h1>What should be done?</h1>
        <p>The model may call the tools that this host has. Those that change something ask you first.</p>
      </div>
      <Composer isRunning={false} onSend={onStart} onCancel={() => undefined} />
      {status && <Examples isDemo={status.model === 'demo'} onChoose={onStart} />}
      <p className="dim home-facts">
        {status && (
          <>
            Toolpost {status.version} · {modelName(status.model)} · <a href="#/tools">Tools</a> ·{' '}
            <a href="#/plugins">Plugins</a> · <a href="docs">API</a>
          </>
        )}
      </p>
    </div>
  );
}
