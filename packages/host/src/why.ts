import type { Session } from '@toolpost/protocol';
import type { HostCore } from './host-core.ts';
import type { PermissionDecision } from './permissions/decide.ts';
import type { ToolExplanation } from './registry/explain-tool.ts';

/** What decides about a name: who offers it, who gets it, and what a call without arguments would be answered. */
export interface WhyReport extends ToolExplanation {
  /** For the visible tool. A rule with a pattern depends on the arguments of each call. */
  readonly permission?: PermissionDecision;
  /** Plugins that could not be read or started, and might have offered the name. */
  readonly brokenPlugins: readonly { readonly id: string; readonly error: string }[];
}

export function explainCall(core: HostCore, name: string, session: Session): WhyReport {
  const explanation = core.registry.explain(name, session);
  const { tool, shadowsAnother } = explanation;
  const permission = tool && core.callPath.permissions.decide({ tool, shadowsAnother, input: {}, session });
  const broken = core.registry
    .plugins()
    .flatMap(({ id, broken }) => (broken === undefined ? [] : [{ id, error: broken }]));
  const unread = core.discovery.problems.map(({ id, dir, error }) => ({ id: id ?? dir, error: error.message }));
  return { ...explanation, ...(permission && { permission }), brokenPlugins: [...broken, ...unread] };
}
