import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../../../runtime.ts';
import { registeredClient } from './registered-client.ts';
import { type KeptCredentials, keptTokens, type TokenFile } from './token-file.ts';

type ClientInformation = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type Discovery = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;

export interface ProviderOptions {
  readonly file: Pick<TokenFile, 'read' | 'change'>;
  readonly redirectUrl: string;
  readonly state: string;
  readonly oauth: OAuthSettings;
  /** Shows a person where to sign in. @throws where nobody can be shown it. */
  redirectToAuthorization(url: URL): void;
}

/** What the SDK's OAuth flow knows of a client: kept in a file, but for the verifier, which lives as long as one sign-in. */
export function createKeptProvider(options: ProviderOptions): OAuthClientProvider {
  const { file, redirectUrl, state, oauth } = options;
  const registered = registeredClient(oauth);
  let verifier = '';
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'Toolpost',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on a person's machine keeps no secret of its own (RFC 8252, section 8.5).
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    ...(oauth.clientMetadataUrl !== undefined && { clientMetadataUrl: oauth.clientMetadataUrl }),
    clientInformation: () => registered ?? (file.read().client as ClientInformation),
    // Where nothing can be saved, the SDK neither registers another client nor goes to another issuer than the client's.
    ...(!registered && { saveClientInformation: (client) => file.change({ client: { ...client } }) }),
    tokens: () => file.read().tokens as Tokens,
    saveTokens: (tokens) => file.change(keptTokens({ ...tokens }, file.read())),
    redirectToAuthorization: (url) => options.redirectToAuthorization(url),
    saveCodeVerifier(codeVerifier) {
      verifier = codeVerifier;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (discovery) => file.change({ discovery: { ...discovery } }),
    discoveryState: () => file.read().discovery as unknown as Discovery,
    invalidateCredentials: (scope) => file.change(forgotten(scope)),
  };
}

function forgotten(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): KeptCredentials {
  const isAll = scope === 'all';
  return {
    ...((isAll || scope === 'client') && { client: undefined }),
    ...((isAll || scope === 'tokens') && { tokens: undefined, expiresAt: undefined }),
    ...((isAll || scope === 'discovery') && { discovery: undefined }),
  };
}
