import type { PluginEntry, RegisteredTool, Scope } from './registered-tool.ts';
import type { Registration } from './registration.ts';

const SCOPE_RANK: Readonly<Record<Scope, number>> = { channel: 0, tenant: 1, global: 2, builtin: 3 };

/** Who looks: what decides which tools a session sees. */
export interface Viewer {
  readonly tenant: string;
  readonly channel: string;
}

/** Which plugin has a name first, among all that a tenant could meet, and whether others declare it too. */
export interface NameClaim {
  readonly first: Registration;
  contested: boolean;
}

/**
 * Order of precedence: plugins that may shadow before those that may not; then channel > tenant > global > built-in;
 * then the discovery order; then the id. Never the order of loading.
 */
export function comparePlugins({ entry: a }: Registration, { entry: b }: Registration): number {
  return (
    Number(b.mayShadow) - Number(a.mayShadow) ||
    SCOPE_RANK[a.scope] - SCOPE_RANK[b.scope] ||
    a.order - b.order ||
    (a.id < b.id ? -1 : 1)
  );
}

export function isForTenant(entry: PluginEntry, tenant: string): boolean {
  return entry.tenants === undefined || entry.tenants.length === 0 || entry.tenants.includes(tenant);
}

export function isForChannel(tool: RegisteredTool, channel: string): boolean {
  const { channels } = tool.definition;
  return channels === undefined || channels.length === 0 || channels.includes(channel);
}

/**
 * Who owns each folded name. A disabled plugin, and a tool of another channel, still claim theirs: otherwise a project
 * could switch a plugin off, or wait for another channel, and answer under its name.
 */
export function claimNames(ranked: readonly Registration[], tenant: string): Map<string, NameClaim> {
  const claims = new Map<string, NameClaim>();
  for (const registration of ranked) {
    if (!isForTenant(registration.entry, tenant)) continue;
    for (const folded of registration.tools.keys()) {
      const claim = claims.get(folded);
      if (claim) claim.contested = true;
      else claims.set(folded, { first: registration, contested: false });
    }
  }
  return claims;
}

/** Whether the plugin may offer this name at all: one that may not shadow must be the first to claim it. */
export function mayOffer(registration: Registration, folded: string, claims: ReadonlyMap<string, NameClaim>): boolean {
  return registration.entry.mayShadow || claims.get(folded)?.first === registration;
}

/** The one tool of each folded name that a viewer sees. `ranked` is in the order of `comparePlugins`. */
export function selectTools(
  ranked: readonly Registration[],
  { tenant, channel }: Viewer,
  claims: ReadonlyMap<string, NameClaim>,
): Map<string, RegisteredTool> {
  const selected = new Map<string, RegisteredTool>();
  for (const registration of ranked) {
    const { entry } = registration;
    if (entry.disabled === true || !isForTenant(entry, tenant)) continue;
    for (const [folded, tool] of registration.tools) {
      if (selected.has(folded) || !isForChannel(tool, channel)) continue;
      if (mayOffer(registration, folded, claims)) selected.set(folded, tool);
    }
  }
  return selected;
}
