import { ERROR_CODES, type Session } from '@toolpost/protocol';
import { isForPerson } from './audience.ts';
import { foldName } from './fold-name.ts';
import { claimNames, isForChannel, mayOffer, type NameClaim, selectTools } from './precedence.ts';
import type { PluginEntry, RegisteredTool, Scope } from './registered-tool.ts';
import type { Registration } from './registration.ts';
import { workingNames } from './snapshot.ts';
import { suggestNames } from './suggest-names.ts';
import type { WithheldTool } from './withheld-tool.ts';

/**
 * Why a session gets this tool under the name, or not: it is `visible`; visible but `broken` (calls end `crashed`);
 * `shadowed` by one with precedence; `name-taken`, as its plugin may not shadow; `disabled`; of a `wrong-channel` or
 * `wrong-tenant`; or `refused` when it was registered.
 */
export type CandidateStatus =
  | 'visible'
  | 'broken'
  | 'shadowed'
  | 'name-taken'
  | 'disabled'
  | 'wrong-channel'
  | 'wrong-tenant'
  | 'refused';

export interface ToolCandidate {
  readonly name: string;
  readonly plugin: string;
  readonly scope: Scope;
  readonly runtime: string;
  readonly origin: string;
  readonly status: CandidateStatus;
  /** The plugin whose tool is used instead, when `shadowed` or `name-taken`. */
  readonly by?: string;
  /** One sentence. */
  readonly reason: string;
  /** How its definition differs from the accepted one, where that is the reason. */
  readonly changed?: WithheldTool['changed'];
}

/** What `toolpost why` shows. `candidates` is in the order of precedence and empty for an unknown name. */
export interface ToolExplanation {
  readonly name: string;
  /** The tool that a call of this name reaches. */
  readonly tool?: RegisteredTool;
  readonly shadowsAnother: boolean;
  readonly candidates: readonly ToolCandidate[];
  /** Near names, when nothing of the name is known. */
  readonly similar: readonly string[];
}

interface Scene {
  readonly session: Session;
  readonly folded: string;
  readonly claims: ReadonlyMap<string, NameClaim>;
  readonly winner: RegisteredTool | undefined;
  /** Whose crash keeps the name from everybody. */
  readonly holder: Registration | undefined;
}

/** Every tool of the (folded) name, whoever declared it, with what became of it in this session. */
export function explainTool(ranked: readonly Registration[], name: string, session: Session): ToolExplanation {
  const claims = claimNames(ranked, session);
  const { tools: selected, held } = selectTools(ranked, session, claims);
  const folded = foldName(name);
  const winner = selected.get(folded);
  const scene: Scene = { session, folded, claims, winner, holder: held.get(folded) };
  const candidates = ranked.flatMap((registration) => candidatesOf(registration, scene));
  return {
    name,
    ...(winner ? { tool: winner } : {}),
    shadowsAnother: winner !== undefined && claims.get(folded)?.contested === true,
    candidates,
    similar: candidates.length > 0 ? [] : suggestNames(name, workingNames(selected.values())),
  };
}

function candidatesOf(registration: Registration, scene: Scene): ToolCandidate[] {
  const { id: plugin, scope, runtime, origin, reserved = [] } = registration.entry;
  const found: ToolCandidate[] = [];
  const tool = registration.tools.get(scene.folded);
  if (tool) {
    const { definition, scope: own } = tool;
    found.push({ name: definition.name, plugin, scope: own, runtime, origin, ...standing(registration, tool, scene) });
  }
  for (const refused of registration.refused) {
    if (foldName(refused.name) === scene.folded) found.push({ scope, runtime, origin, status: 'refused', ...refused });
  }
  for (const { name } of reserved.filter((tool) => foldName(tool.name) === scene.folded)) {
    const reason = `hidden: its channel crashed and is being started again; nothing else gets the name before`;
    found.push({ name, plugin, scope: 'channel', runtime, origin, status: 'broken', reason });
  }
  return found;
}

type Standing = Pick<ToolCandidate, 'status' | 'by' | 'reason'>;

/** The gates in the order in which they are tried when tools are selected. */
function standing(registration: Registration, tool: RegisteredTool, scene: Scene): Standing {
  const { entry } = registration;
  const { session, winner } = scene;
  if (!isForPerson(entry, session)) {
    return {
      status: 'wrong-tenant',
      reason: `hidden: plugin ${entry.id} is not offered to ${personText(entry, session)}`,
    };
  }
  if (entry.disabled === true) {
    const why = entry.broken === undefined ? '' : ` (${entry.broken})`;
    return { status: 'disabled', reason: `hidden: plugin ${entry.id} is disabled${why}` };
  }
  if (!isForChannel(tool.definition, session.channel)) {
    const channels = tool.definition.channels?.join(', ');
    return { status: 'wrong-channel', reason: `hidden: only for channel ${channels}, and this is ${session.channel}` };
  }
  if (!mayOffer(registration, scene.folded, scene.claims)) return nameTaken(tool, scene);
  if (winner !== undefined && winner !== tool) {
    const by = winner.plugin.id;
    return { status: 'shadowed', by, reason: `hidden: shadowed by plugin ${by} (${winner.scope}), which comes first` };
  }
  if (winner === undefined && scene.holder) {
    const by = scene.holder.entry.id;
    return { status: 'shadowed', by, reason: `hidden: shadowed by plugin ${by}, whose channel is being started again` };
  }
  if (entry.broken !== undefined) {
    return { status: 'broken', reason: `keeps the name, but calls end crashed: ${entry.broken}` };
  }
  return { status: 'visible', reason: visibleReason(tool, scene) };
}

function nameTaken(tool: RegisteredTool, { claims, folded }: Scene): Standing {
  const owner = claims.get(folded)?.first.entry;
  const by = owner?.id ?? '';
  const state = owner?.disabled === true ? ', disabled or not' : '';
  const reason = `hidden: TOOL_NAME_TAKEN: plugin ${tool.plugin.id} may not take a name of plugin ${by}${state}. ${ERROR_CODES.TOOL_NAME_TAKEN.remedy}`;
  return { status: 'name-taken', by, reason };
}

function visibleReason(tool: RegisteredTool, { claims, folded }: Scene): string {
  const shadows = claims.get(folded)?.contested === true;
  return `visible (${tool.scope})${shadows ? ', and comes before the other plugins of this name' : ''}`;
}

function personText({ tenants = [] }: PluginEntry, { tenant, user }: Session): string {
  const whose = tenant === '' ? 'sessions without a tenant' : `tenant ${tenant}`;
  if (!tenants.includes(tenant)) return whose;
  return user === '' ? `sessions without a user of ${whose}` : `user ${user} of ${whose}`;
}
