import { ApiError, createApiClient } from '@toolpost/protocol';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Connection, ConnectionContext, isSignedOut, messageOf } from './connection.ts';
import { Notices, useNotices } from './notices.tsx';
import { Shell } from './shell.tsx';
import { forgetToken, keepToken, takeToken } from './sign-in.ts';
import { SignInPage } from './sign-in-page.tsx';

type Entry =
  | { readonly state: 'opening' }
  | { readonly state: 'out'; readonly why: string }
  | { readonly state: 'in'; readonly token: string };

/** A link works once: however often the page is drawn, it is used once. */
let taking: Promise<string | undefined> | undefined;

export function App() {
  const [entry, setEntry] = useState<Entry>({ state: 'opening' });
  useEffect(() => {
    taking ??= takeToken();
    taking.then(
      (token) => setEntry(token === undefined ? { state: 'out', why: '' } : { state: 'in', token }),
      (error) => setEntry({ state: 'out', why: messageOf(error) }),
    );
  }, []);
  const signOut = useCallback((why: string) => {
    forgetToken();
    setEntry({ state: 'out', why });
  }, []);
  const enter = useCallback((token: string) => {
    keepToken(token);
    setEntry({ state: 'in', token });
  }, []);
  if (entry.state === 'opening') return null;
  if (entry.state === 'out') return <SignInPage why={entry.why} onToken={enter} />;
  return <Connected token={entry.token} onSignedOut={signOut} />;
}

function Connected({ token, onSignedOut }: { readonly token: string; readonly onSignedOut: (why: string) => void }) {
  const { notices, say, dismiss } = useNotices();
  const connection = useMemo<Connection>(() => {
    const environment = {
      fetch: (url: string, init?: unknown) => fetch(url, init as RequestInit),
      setTimeout: (listener: () => void, ms: number) => setTimeout(listener, ms),
      clearTimeout: (timer: never) => clearTimeout(timer),
    };
    const client = createApiClient({ baseUrl: '', token, environment });
    return {
      client,
      say,
      async attempt(request) {
        try {
          return await request;
        } catch (error) {
          if (isSignedOut(error)) onSignedOut(messageOf(error));
          else if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) say(messageOf(error), 'error');
          return undefined;
        }
      },
    };
  }, [token, say, onSignedOut]);
  return (
    <ConnectionContext value={connection}>
      <Shell onSignedOut={onSignedOut} />
      <Notices notices={notices} onDismiss={dismiss} />
    </ConnectionContext>
  );
}
