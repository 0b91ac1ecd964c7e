import { type ApiClient, ApiError, createApiClient, messageOf } from '@toolpost/protocol';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Connection, ConnectionContext, isSignedOut } from './connection.ts';
import { Notices, useNotices } from './notices.tsx';
import { Shell } from './shell.tsx';
import { forgetToken, keepToken, STARTED_AGAIN, takeToken, WRONG_TOKEN } from './sign-in.ts';
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
  const signOut = useCallback(() => {
    forgetToken();
    setEntry({ state: 'out', why: STARTED_AGAIN });
  }, []);
  const enter = useCallback(async (token: string) => {
    const why = await refusalOf(token);
    if (why === undefined) keepToken(token);
    setEntry(why === undefined ? { state: 'in', token } : { state: 'out', why });
  }, []);
  if (entry.state === 'opening') return null;
  if (entry.state === 'out') return <SignInPage why={entry.why} onToken={enter} />;
  return <Connected token={entry.token} onSignedOut={signOut} />;
}

/** Why the server does not take a token that a person gave; undefined when it does. */
async function refusalOf(token: string): Promise<string | undefined> {
  // Others fit into no header.
  if (!/^[\x21-\x7e]+$/.test(token)) return WRONG_TOKEN;
  try {
    await clientWith(token).status();
    return undefined;
  } catch (error) {
    return isSignedOut(error) ? WRONG_TOKEN : messageOf(error);
  }
}

function clientWith(token: string): ApiClient {
  const environment = {
    fetch: (url: string, init?: unknown) => fetch(url, init as RequestInit),
    setTimeout: (listener: () => void, ms: number) => setTimeout(listener, ms),
    clearTimeout: (timer: never) => clearTimeout(timer),
  };
  return createApiClient({ baseUrl: '', token, environment });
}

function Connected({ token, onSignedOut }: { readonly token: string; readonly onSignedOut: () => void }) {
  const { notices, say, dismiss } = useNotices();
  const connection = useMemo<Connection>(() => {
    return {
      client: clientWith(token),
      say,
      async attempt(request) {
        try {
          return await request;
        } catch (error) {
          if (isSignedOut(error)) onSignedOut();
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
