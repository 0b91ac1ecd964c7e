import type { CommonOptions } from './common-options.ts';
import { UsageError } from './usage-error.ts';

/** For servers: who asks, and from where, is in each request's token. @throws UsageError that names the flag. */
export function refuseIdentity(command: string, { tenant, user, chat }: CommonOptions): void {
  const [flag] = Object.entries({ tenant, user, chat }).find(([, value]) => value !== undefined) ?? [];
  if (flag === undefined) return;
  throw new UsageError(
    `--${flag} says nothing to ${command}: tenants and users come from tokens ("tenants" in the configuration), chats from requests`,
  );
}
