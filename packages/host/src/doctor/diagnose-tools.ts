import type { Session } from '@toolpost/protocol';
import type { HostCore } from '../host-core.ts';
import type { ToolCandidate } from '../registry/explain-tool.ts';
import type { ClosedGate, ToolDiagnosis } from './diagnosis.ts';

/** The tools of one plugin as the session has them, by the function that list, search, call and `why` share. */
export function diagnoseTools(core: HostCore, pluginId: string, session: Session): ToolDiagnosis[] {
  const entry = core.registry.plugins().find(({ id }) => id === pluginId);
  const names = [...(entry?.tools ?? []), ...(entry?.withheld ?? [])].map(({ name }) => name);
  return [...new Set(names)].sort().map((name) => diagnose(core, { pluginId, name }, session));
}

function diagnose(
  core: HostCore,
  { pluginId, name }: { pluginId: string; name: string },
  session: Session,
): ToolDiagnosis {
  const { candidates, tool, shadowsAnother } = core.registry.explain(name, session);
  const own = candidates.find(({ plugin }) => plugin === pluginId);
  if (own && own.status !== 'visible') return { name, closed: closedBy(own) };
  if (!tool || !shadowsAnother) return { name };
  const hidden = candidates.filter(({ status, by }) => status === 'shadowed' && by === pluginId);
  const isBuiltin = hidden.some(({ scope }) => scope === 'builtin');
  const whose = isBuiltin ? `the built-in ${name}` : `${name} of plugin ${hidden[0]?.plugin}`;
  const rule = `${pluginId}:${name}`;
  return { name, note: `takes the place of ${whose}, and asks before each call until a rule allows "${rule}"` };
}

function closedBy({ status, reason, by, plugin }: ToolCandidate): ClosedGate {
  const gate = (remedy: string, isFault: boolean, name: ClosedGate['gate'] = 'visible'): ClosedGate => ({
    ...{ gate: name, reason, remedy, isFault },
  });
  switch (status) {
    case 'broken':
      return gate(`mend the plugin: toolpost plugins info ${plugin}`, true, 'started');
    case 'refused':
      return gate(`see: toolpost plugins info ${plugin}`, true, 'permitted');
    case 'shadowed':
    case 'name-taken':
      return gate(`to have this one instead, disable the other: "plugins": {"disabled": ["${by}"]}`, false);
    case 'wrong-channel':
      return gate('look from there: --channel NAME', false);
    default:
      return gate('look as somebody who has it: --tenant ID --user ID', false);
  }
}
