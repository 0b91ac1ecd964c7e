import { randomBytes } from 'node:crypto';
import { auth, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../../../runtime.ts';
import { createKeptProvider } from './kept-provider.ts';
import { type Callback, listenForCallback } from './listen-for-callback.ts';
import { maskedFetch } from './masked-fetch.ts';
import { type KeptCredentials, type TokenFile, type TokenOwner, tokenFileOf } from './token-file.ts';

export interface SignInOptions extends TokenOwner {
  /** Headers that the configuration gives the server. */
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings | undefined;
  /** Shows a person the address at which to sign in. */
  showAddress(url: URL): void;
  readonly abortSignal: AbortSignal;
  /** Masks secrets in what an authorization server says. */
  redact(text: string): string;
}

/**
 * Signs a person in at a server: authorization code with PKCE, and a redirect to the loopback interface (RFC 8252). What
 * was kept before holds until it has succeeded.
 * @throws Error that says what the server or its authorization server refused.
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const { oauth = {} } = options;
  const state = randomBytes(24).toString('base64url');
  const callback = await listenForCallback(state);
  const credentials = inMemory();
  const provider = createKeptProvider({
    file: credentials,
    // A registration names its redirect, and the port is another one each time: so it is made anew.
    redirectUrl: callback.url,
    state,
    oauth,
    redirectToAuthorization: (url) => options.showAddress(url),
  });
  try {
    const named = await askForSignIn(options);
    const wanted = { ...named, ...(oauth.scope !== undefined && { scope: oauth.scope }) };
    const asked = {
      serverUrl: options.serverUrl,
      fetchFn: maskedFetch(options.redact),
      ...wanted,
      ...widened(wanted.scope, tokenFileOf(options).read()),
    };
    if ((await auth(provider, asked)) !== 'AUTHORIZED') {
      await auth(provider, { ...asked, ...codeOf(await orAborted(callback, options.abortSignal)) });
    }
  } finally {
    callback.close();
  }
  tokenFileOf(options).change(credentials.read());
}

/** With what a call was refused for, and with what is held already: a sign-in replaces the one before. */
function widened(scope: string | undefined, { scope: refused, tokens }: KeptCredentials): { scope?: string } {
  if (refused === undefined) return {};
  const held = typeof tokens?.scope === 'string' ? tokens.scope : '';
  return { scope: [...new Set(`${scope ?? ''} ${held} ${refused}`.split(' ').filter(Boolean))].join(' ') };
}

function inMemory(): Pick<TokenFile, 'read' | 'change'> {
  // A client that registered itself before is forgotten where the settings have one now.
  let kept: KeptCredentials = { client: undefined };
  return {
    read: () => kept,
    change(parts) {
      kept = { ...kept, ...parts };
    },
  };
}

function codeOf(query: URLSearchParams): { authorizationCode: string; iss?: string } {
  const [code, iss] = [query.get('code'), query.get('iss')];
  if (code !== null) return { authorizationCode: code, ...(iss !== null && { iss }) };
  throw new Error(`the sign-in was refused: ${query.get('error_description') ?? query.get('error')}`);
}

/** What the server says itself of where to sign in and for what. */
async function askForSignIn({
  serverUrl,
  headers,
  abortSignal,
}: SignInOptions): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  const response = await fetch(serverUrl, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    signal: abortSignal,
    redirect: 'manual',
  });
  await response.body?.cancel();
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
}

async function orAborted({ answer }: Callback, abortSignal: AbortSignal): Promise<URLSearchParams> {
  const aborted = Promise.withResolvers<never>();
  const giveUp = (): void => aborted.reject(new Error('the sign-in was given up'));
  abortSignal.addEventListener('abort', giveUp, { once: true });
  if (abortSignal.aborted) giveUp();
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    abortSignal.removeEventListener('abort', giveUp);
  }
}
