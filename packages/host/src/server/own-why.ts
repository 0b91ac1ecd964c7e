import type { Session } from '@toolpost/protocol';
import type { WhyReport } from '../why.ts';
import type { Principal } from './principal.ts';
import type { ServerParts } from './server-parts.ts';
import { visiblePlugins } from './visible-plugins.ts';

/**
 * What a principal may know of a name. A tool that only other tenants have is told like a name that nobody has, near names
 * and all; where broken plugins lie is the operator's to know.
 */
export async function explainOwn(
  parts: Pick<ServerParts, 'host'>,
  { name, session, principal }: { name: string; session: Session; principal: Principal },
): Promise<WhyReport> {
  const report = await parts.host.why(name, session);
  if (principal.isOperator) return report;
  const candidates = report.candidates.filter(({ status }) => status !== 'wrong-tenant');
  const known = new Set(
    (await visiblePlugins(parts, principal)).filter(({ version }) => version !== '').map(({ id }) => id),
  );
  const suggest = async () => [...(await parts.host.listTools(session)).suggest(name)];
  return {
    ...report,
    candidates,
    similar: candidates.length > 0 ? [] : await suggest(),
    brokenPlugins: report.brokenPlugins.filter(({ id }) => known.has(id)),
  };
}
