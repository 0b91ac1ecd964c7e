import { openHomeDir } from './settings/home-dir.ts';
import { createTrustStore, type TrustStore } from './trust/trust-store.ts';

/** The acceptances of the home directory that the environment names, without opening a host. */
export async function openTrust(environment: Readonly<Record<string, string | undefined>>): Promise<TrustStore> {
  return createTrustStore(await openHomeDir(environment));
}
