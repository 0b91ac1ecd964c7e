import { type AuthProvider, auth } from '@modelcontextprotocol/client';
import { withLockFile } from '../../../../settings/lock-file.ts';
import { createKeptProvider } from './kept-provider.ts';
import { SignInNeeded } from './sign-in-needed.ts';
import { type KeptCredentials, type TokenOwner, tokenFileOf } from './token-file.ts';

export interface ServerAuthOptions extends TokenOwner {
  readonly pluginId: string;
}

/** A token that ends so soon is not begun with. */
const ENDS_SOON_MS = 30_000;
/** Requests that were under way with the old token come back refused for so long. */
const JUST_REFRESHED_MS = 5000;
/** Less than what a lock is held for. */
const REFRESH_LIMIT_MS = 8000;

/**
 * The tokens that a person's sign-in has brought, refreshed when they end. However many requests, sessions and hosts find
 * out at once, one of them refreshes: a refresh token is good once.
 */
export function createServerAuth(options: ServerAuthOptions): AuthProvider {
  const file = tokenFileOf(options);
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const refresh = (fetchFn: typeof fetch): Promise<void> => {
    const before = accessToken(file.read());
    const run = withLockFile(file.path, async () => {
      const now = file.read();
      if (accessToken(now) === before) await refreshNow(now, fetchFn);
    });
    refreshing ??= run.finally(() => {
      refreshing = undefined;
      refreshedAt = performance.now();
    });
    return refreshing;
  };

  async function refreshNow({ tokens, client }: KeptCredentials, fetchFn: typeof fetch): Promise<void> {
    if (typeof tokens?.refresh_token !== 'string' || !client) throw new SignInNeeded(options.pluginId);
    const provider = createKeptProvider({
      file,
      redirectUrl: firstRedirect(client),
      state: '',
      redirectToAuthorization() {
        throw new SignInNeeded(options.pluginId, 'the sign-in is over');
      },
    });
    const limited: typeof fetch = (input, init) =>
      fetchFn(input, { ...init, signal: AbortSignal.timeout(REFRESH_LIMIT_MS) });
    await auth(provider, { serverUrl: options.serverUrl, fetchFn: limited });
  }

  return {
    async token() {
      const kept = file.read();
      const endsSoon = kept.expiresAt !== undefined && kept.expiresAt - Date.now() < ENDS_SOON_MS;
      // The server decides: where the refresh fails, the old token may still do.
      if (endsSoon && kept.tokens?.refresh_token !== undefined) await refresh(fetch).catch(() => undefined);
      return accessToken(file.read());
    },
    async onUnauthorized() {
      if (performance.now() - refreshedAt < JUST_REFRESHED_MS && accessToken(file.read()) !== undefined) return;
      await refresh(fetch);
    },
  };
}

function accessToken({ tokens }: KeptCredentials): string | undefined {
  return typeof tokens?.access_token === 'string' ? tokens.access_token : undefined;
}

function firstRedirect({ redirect_uris: uris }: Record<string, unknown>): string {
  const first: unknown = Array.isArray(uris) ? uris[0] : undefined;
  return typeof first === 'string' ? first : 'http://127.0.0.1/callback';
}
