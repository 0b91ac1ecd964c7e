import type { ToolDefinition } from '@toolpost/protocol';
import { isForPerson, type Person } from './audience.ts';
import { foldName } from './fold-name.ts';
import type { RegisteredTool, Scope } from './registered-tool.ts';
import type { Registration } from './registration.ts';

const SCOPE_RANK: Readonly<Record<Scope, number>> = { channel: 0, tenant: 1, global: 2, builtin: 3 };

/** Who looks: what decides which tools a session sees. */
export interface Viewer extends Person {
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

export function isForChannel({ channels }: ToolDefinition, channel: string): boolean {
  return channels === undefined || channels.length === 0 || channels.includes(channel);
}

/**
 * Who owns each folded name. A disabled plugin, a tool of another channel, and one that a crash took away for a while
 * still claim theirs: otherwise a project could switch a plugin off, or wait for another channel, and answer under its
 * name. Contested is a name only where the viewer could meet both.
 */
export function claimNames(ranked: readonly Registration[], viewer: Viewer): Map<string, NameClaim> {
  const { channel } = viewer;
  const claims = new Map<string, NameClaim>();
  const here = new Set<string>();
  const claim = (registration: Registration, folded: string, definition: ToolDefinition) => {
    const isHere = isForChannel(definition, channel);
    const known = claims.get(folded);
    if (!known) claims.set(folded, { first: registration, contested: false });
    else if (isHere && here.has(folded)) known.contested = true;
    if (isHere) here.add(folded);
  };
  for (const registration of ranked) {
    const { entry, tools } = registration;
    if (!isForPerson(entry, viewer)) continue;
    for (const [folded, { definition }] of tools) claim(registration, folded, definition);
    for (const definition of entry.reserved ?? []) claim(registration, foldName(definition.name), definition);
  }
  return claims;
}

/** Whether the plugin may offer this name at all: one that may not shadow must be the first to claim it. */
export function mayOffer(registration: Registration, folded: string, claims: ReadonlyMap<string, NameClaim>): boolean {
  return registration.entry.mayShadow || claims.get(folded)?.first === registration;
}

export interface Selection {
  /** The one tool of each folded name that a viewer sees. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** Names that nobody has before the channel is back that a crash took them from. */
  readonly held: ReadonlyMap<string, Registration>;
}

/** `ranked` is in the order of `comparePlugins`; a tool for the viewer's channel comes before all that are for every one. */
export function selectTools(
  ranked: readonly Registration[],
  viewer: Viewer,
  claims: ReadonlyMap<string, NameClaim>,
): Selection {
  const { channel } = viewer;
  const tools = new Map<string, RegisteredTool>();
  const held = new Map<string, Registration>();
  const visible = ranked.filter(({ entry }) => entry.disabled !== true && isForPerson(entry, viewer));
  const take = (registration: Registration, folded: string, tool: RegisteredTool) => {
    if (tools.has(folded) || held.has(folded) || !isForChannel(tool.definition, channel)) return;
    if (mayOffer(registration, folded, claims)) tools.set(folded, tool);
  };
  for (const registration of visible) {
    for (const [folded, tool] of registration.tools) if (tool.scope === 'channel') take(registration, folded, tool);
    for (const definition of registration.entry.reserved ?? []) {
      const folded = foldName(definition.name);
      if (isForChannel(definition, channel) && !tools.has(folded)) held.set(folded, registration);
    }
  }
  for (const registration of visible) {
    for (const [folded, tool] of registration.tools) if (tool.scope !== 'channel') take(registration, folded, tool);
  }
  return { tools, held };
}
