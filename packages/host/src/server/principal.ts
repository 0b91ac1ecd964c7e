import { createHash, timingSafeEqual } from 'node:crypto';
import { HostError } from '@toolpost/protocol';
import type { Settings } from '../settings/settings-schema.ts';
import { readTenantTokens } from '../settings/tenant-tokens.ts';

/** Who makes a request, as its token says it: nothing in the request itself counts. */
export interface Principal {
  readonly tenant: string;
  /** "" for a token that is no single user's. */
  readonly user: string;
  /** Who started the server: may look after everybody's plugins. */
  readonly isOperator: boolean;
}

/** Finds the principal of an `Authorization` header; undefined for a missing or unknown token. */
export type Authenticate = (authorization: string | undefined) => Principal | undefined;

interface KnownToken {
  readonly digest: Buffer;
  readonly principal: Principal;
}

/**
 * Reads all tokens once. `ownToken` is the operator's.
 * @throws HostError CONFIG_INVALID when two have the same token: nobody could tell them apart.
 */
export function createAuthenticate(
  ownToken: string,
  settings: Pick<Settings, 'tenants'>,
  environment: Readonly<Record<string, string | undefined>>,
): Authenticate {
  const known: KnownToken[] = [
    { digest: digestOf(ownToken), principal: { tenant: '', user: '', isOperator: true } },
    ...readTenantTokens(settings.tenants, environment).tokens.map(({ token, tenant, user }) => ({
      digest: digestOf(token),
      principal: { tenant, user, isOperator: false },
    })),
  ];
  assertDistinct(known);
  return (authorization) => {
    const [, token] = /^Bearer +([^\s]+)$/i.exec(authorization ?? '') ?? [];
    return token === undefined ? undefined : find(known, digestOf(token));
  };
}

/** Compares with every token, all of it: how long it takes tells nothing. */
function find(known: readonly KnownToken[], digest: Buffer): Principal | undefined {
  let found: Principal | undefined;
  for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one.principal;
  return found;
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function assertDistinct(known: readonly KnownToken[]): void {
  const owners = new Map<string, string>();
  for (const { digest, principal } of known) {
    const key = digest.toString('hex');
    const name = nameOf(principal);
    const other = owners.get(key);
    if (other !== undefined && other !== name)
      throw new HostError('CONFIG_INVALID', `${other} and ${name} have the same token: give each its own`);
    owners.set(key, name);
  }
}

function nameOf({ tenant, user, isOperator }: Principal): string {
  if (isOperator) return 'the server itself';
  return user === '' ? `tenants.${tenant}` : `tenants.${tenant}.users.${user}`;
}
