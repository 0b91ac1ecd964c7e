import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../../../runtime.ts';

/** The client of the settings as the SDK wants it. It is never kept in a file: a secret stays where the user put it. */
export function registeredClient(oauth: OAuthSettings): StoredOAuthClientInformation | undefined {
  const { clientId, clientSecret, issuer } = oauth;
  if (clientId === undefined) return undefined;
  return {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
    ...(issuer !== undefined && { issuer }),
  };
}
