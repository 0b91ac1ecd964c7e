import { openHomeDir } from './settings/home-dir.ts';
import { createKeptApprovals, type KeptApprovals } from './trust/kept-approvals.ts';

/** The answers "always" of the home directory that the environment names, to list or take back without opening a host. */
export async function openApprovals(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Pick<KeptApprovals, 'list' | 'forget'>> {
  return createKeptApprovals(await openHomeDir(environment), (text) => text);
}
