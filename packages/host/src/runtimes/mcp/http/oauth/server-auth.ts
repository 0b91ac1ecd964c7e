import { type AuthProvider, OAuthError, refreshAuthorization } from '@modelcontextprotocol/client';
import { isJsonObject, messageOf } from '@toolpost/protocol';
import { withLockFile } from '../../../../settings/lock-file.ts';
import type { OAuthSettings } from '../../../runtime.ts';
import { registeredClient } from './registered-client.ts';
import { SignInNeeded } from './sign-in-needed.ts';
import { type KeptCredentials, keptTokens, secretsIn, type TokenOwner, tokenFileOf } from './token-file.ts';

export interface ServerAuthOptions extends TokenOwner {
  readonly pluginId: string;
  readonly oauth?: OAuthSettings | undefined;
  /** Hears of tokens before they are sent: a server may say them back. */
  readonly onSecrets?: ((values: readonly string[]) => void) | undefined;
}

type RefreshOptions = Parameters<typeof refreshAuthorization>[1];

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
  let sent: string | undefined;
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  const read = (): KeptCredentials => {
    const kept = file.read();
    options.onSecrets?.(secretsIn(kept));
    return kept;
  };

  /** Puts a new token in the place of a refused one, unless somebody else has. */
  const replace = async (refused: string | undefined): Promise<void> => {
    await withLockFile(file.path, async () => {
      const kept = read();
      if (accessToken(kept) !== refused) return;
      const tokens = await refresh(kept, options).catch((error: unknown) => {
        if (error instanceof SignInNeeded) file.change({ tokens: undefined, expiresAt: undefined });
        throw error;
      });
      file.change(keptTokens({ ...tokens }, kept));
    });
    refreshedAt = performance.now();
  };

  const replaceOnce = (refused: string | undefined): Promise<void> => {
    refreshing ??= replace(refused).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };

  return {
    async token() {
      const kept = read();
      const endsSoon = kept.expiresAt !== undefined && kept.expiresAt - Date.now() < ENDS_SOON_MS;
      // The server decides: where the refresh fails, the old token may still do.
      if (endsSoon && kept.tokens?.refresh_token !== undefined)
        await replaceOnce(accessToken(kept)).catch(() => undefined);
      sent = accessToken(read());
      return sent;
    },
    async onUnauthorized() {
      const isNew = performance.now() - refreshedAt < JUST_REFRESHED_MS && accessToken(file.read()) !== undefined;
      if (!isNew) await replaceOnce(sent);
    },
  };
}

/** @throws SignInNeeded when a person has to sign in again; any other Error passes by itself, perhaps. */
async function refresh(kept: KeptCredentials, owner: ServerAuthOptions): ReturnType<typeof refreshAuthorization> {
  const { tokens, discovery } = kept;
  const client = registeredClient(owner.oauth ?? {}) ?? kept.client;
  const serverUrl = discovery?.authorizationServerUrl;
  if (typeof tokens?.refresh_token !== 'string' || !client || typeof serverUrl !== 'string')
    throw new SignInNeeded(owner);
  const issuer = owner.oauth?.issuer;
  if (issuer !== undefined && !isSameIssuer(tokens.issuer, issuer))
    throw new SignInNeeded(owner, `the sign-in was not at ${issuer}`);
  const { authorizationServerMetadata: metadata, resourceMetadata } = discovery ?? {};
  const resource = isJsonObject(resourceMetadata) ? resourceMetadata.resource : undefined;
  try {
    return await refreshAuthorization(serverUrl, {
      ...(isJsonObject(metadata) && { metadata: metadata as unknown as NonNullable<RefreshOptions['metadata']> }),
      clientInformation: client as unknown as RefreshOptions['clientInformation'],
      refreshToken: tokens.refresh_token,
      ...(typeof resource === 'string' && { resource }),
      fetchFn: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(REFRESH_LIMIT_MS) }),
    });
  } catch (cause) {
    if (cause instanceof OAuthError) throw new SignInNeeded(owner, `the sign-in is over (${cause.message})`);
    const reason = messageOf(cause);
    throw new Error(`its token could not be refreshed: ${reason}`, { cause });
  }
}

/** Some write theirs with a slash at the end, and mean the same. */
function isSameIssuer(kept: unknown, issuer: string): boolean {
  return typeof kept === 'string' && kept.replace(/\/$/, '') === issuer.replace(/\/$/, '');
}

function accessToken({ tokens }: KeptCredentials): string | undefined {
  return typeof tokens?.access_token === 'string' ? tokens.access_token : undefined;
}
