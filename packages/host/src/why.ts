import { type Session, type ShownUi, toShownUi } from '@toolpost/protocol';
import type { HookListing } from './hooks/run-hooks.ts';
import type { HostCore } from './host-core.ts';
import type { ToolPermissions } from './permissions/decide.ts';
import type { ToolCandidate, ToolExplanation } from './registry/explain-tool.ts';
import type { KeptApproval } from './trust/kept-approvals.ts';

/** One that could be meant, with how its definition differs from the accepted one as a patch. */
export interface WhyCandidate extends Omit<ToolCandidate, 'changed'> {
  readonly patch?: string;
}

/** What decides about a name: who offers it, who gets it, and which rules its calls are judged by. */
export interface WhyReport extends Omit<ToolExplanation, 'candidates'> {
  readonly candidates: readonly WhyCandidate[];
  /** How the visible tool is drawn. */
  readonly ui?: ShownUi;
  /** Of the visible tool. */
  readonly permissions?: ToolPermissions;
  /** Calls of the visible tool that the user has always allowed, where it asks by default. */
  readonly alwaysAllowed: readonly KeptApproval[];
  /** The hooks that hear of the visible tool's calls, in the order of their plugins. */
  readonly hooks: readonly HookListing[];
  /** Plugins that could not be read or started, and might have offered the name. */
  readonly brokenPlugins: readonly { readonly id: string; readonly error: string }[];
}

export async function explainName(core: HostCore, name: string, session: Session): Promise<WhyReport> {
  const explanation = core.registry.explain(name, session);
  const { tool, shadowsAnother } = explanation;
  const permissions = tool && core.callPath.permissions.explain(tool, shadowsAnother, session.tenant);
  const alwaysAllowed = tool ? core.callPath.keptApprovals.of(tool, session) : [];
  const concerned = tool && { toolName: tool.definition.name, person: session };
  const hooks = concerned ? core.callPath.hooks.list(concerned) : [];
  const broken = core.registry
    .plugins()
    .flatMap(({ id, broken: error }) => (error === undefined ? [] : [{ id, error }]));
  const unread = core.discovery.problems.map(({ id, dir, error }) => ({ id: id ?? dir, error: error.message }));
  return {
    ...explanation,
    candidates: await Promise.all(explanation.candidates.map(withPatch)),
    ...(tool?.definition.ui && { ui: toShownUi(tool.definition.ui) }),
    ...(permissions && { permissions }),
    alwaysAllowed,
    hooks,
    brokenPlugins: [...broken, ...unread],
  };
}

async function withPatch({ changed, ...candidate }: ToolCandidate): Promise<WhyCandidate> {
  if (!changed) return candidate;
  const { toolChangePatch } = await import('./trust/tool-change-patch.ts');
  return { ...candidate, patch: toolChangePatch(changed) };
}

/** A report as programs get it: `why --json` and the HTTP API. */
export function toWhyListing(report: WhyReport) {
  const { name, tool, candidates, similar, ui, permissions, alwaysAllowed, hooks, brokenPlugins } = report;
  const about = { ui, permissions, alwaysAllowed, hooks };
  return { name, visible: tool !== undefined, candidates, similar, ...about, brokenPlugins };
}
