import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@toolpost/protocol';
import { writePrivateFile } from '../../../../settings/write-private-file.ts';

/** What is kept of one server for one tenant: its client registration, its tokens and where they come from. */
export interface KeptCredentials {
  readonly client?: JsonObject | undefined;
  readonly tokens?: JsonObject | undefined;
  /** Milliseconds since 1970 when the access token ends. */
  readonly expiresAt?: number | undefined;
  readonly discovery?: JsonObject | undefined;
  /** What the server wanted beyond the last sign-in, parted by spaces. */
  readonly scope?: string | undefined;
}

export interface TokenFile {
  readonly path: string;
  read(): KeptCredentials;
  /** Replaces the parts that are given; undefined takes one away. */
  change(parts: KeptCredentials): void;
}

export interface TokenOwner {
  readonly homeDir: string;
  readonly tenant: string;
  readonly serverUrl: URL;
}

/** One file for each tenant and server, mode 0600 in the home directory. Its name tells neither. */
export function tokenFileOf({ homeDir, tenant, serverUrl }: TokenOwner): TokenFile {
  const owner = createHash('sha256')
    .update(JSON.stringify([tenant, serverUrl.href]))
    .digest('hex')
    .slice(0, 32);
  const path = join(homeDir, 'oauth', `${owner}.json`);

  const read = (): KeptCredentials => {
    try {
      const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
      return isJsonObject(value) ? readParts(value) : {};
    } catch {
      // Nobody has signed in, or the file is damaged: then it is signed in anew.
      return {};
    }
  };

  return {
    path,
    read,
    change: (parts) => writePrivateFile(path, `${JSON.stringify({ server: serverUrl.href, ...read(), ...parts })}\n`),
  };
}

/** What is kept of an answer with tokens: a server leaves out the refresh token where it stays the same (RFC 6749, section 6). */
export function keptTokens(tokens: JsonObject, before: KeptCredentials): KeptCredentials {
  const { refresh_token: refresh, issuer } = { ...before.tokens, ...tokens };
  const seconds = Number(tokens.expires_in);
  return {
    tokens: {
      ...tokens,
      ...(refresh !== undefined && { refresh_token: refresh }),
      ...(issuer !== undefined && { issuer }),
    },
    expiresAt: Number.isFinite(seconds) ? Date.now() + seconds * 1000 : undefined,
  };
}

/** What of it nobody may see who is not the server or its authorization server. */
export function secretsIn({ tokens, client }: KeptCredentials): string[] {
  const values = [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret];
  return values.filter((value) => typeof value === 'string');
}

function readParts({ client, tokens, expiresAt, discovery, scope }: JsonObject): KeptCredentials {
  return {
    ...(isJsonObject(client) && { client }),
    ...(isJsonObject(tokens) && { tokens }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(isJsonObject(discovery) && { discovery }),
    ...(typeof scope === 'string' && { scope }),
  };
}
