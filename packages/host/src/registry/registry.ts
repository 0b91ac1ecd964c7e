import type { Session } from '@toolpost/protocol';
import { explainTool, type ToolExplanation } from './explain-tool.ts';
import { claimNames, comparePlugins, selectTools, type Viewer } from './precedence.ts';
import type { PluginEntry } from './registered-tool.ts';
import { type RefusedTool, type Registration, register } from './registration.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

/** Names, scopes, shadowing and visibility of all tools. Does no I/O. */
export interface Registry {
  /** Grows with each change. */
  readonly version: number;
  /**
   * Replaces, at once, everything that the plugin registered. A `broken` entry keeps the names it had. Definitions are
   * copied, so a runner finds its tools by name. Returns the tools that were not taken: unfit or duplicate names.
   */
  setPlugin(entry: PluginEntry): readonly RefusedTool[];
  /** Takes everything of the plugin away, which re-exposes what it hid. Returns whether it was there. */
  removePlugin(id: string): boolean;
  /** What a session sees. The same object until the registry changes. */
  snapshot(session: Session): Snapshot;
  explain(name: string, session: Session): ToolExplanation;
  /** All plugins, in the order of precedence, as they were registered. */
  plugins(): readonly PluginEntry[];
  /** Calls `listener` after each change, also one that no session sees. Returns what ends that. */
  onChange(listener: () => void): () => void;
}

export function createRegistry(): Registry {
  const registrations = new Map<string, Registration>();
  const listeners = new Set<() => void>();
  let version = 0;
  let index = createIndex([], version);

  const changed = () => {
    version += 1;
    index = createIndex([...registrations.values()].sort(comparePlugins), version);
    for (const listener of listeners) listener();
  };

  return {
    get version() {
      return version;
    },
    setPlugin(entry) {
      const registration = register(entry, registrations.get(entry.id));
      registrations.set(entry.id, registration);
      changed();
      return registration.refused;
    },
    removePlugin(id) {
      const removed = registrations.delete(id);
      if (removed) changed();
      return removed;
    },
    snapshot: (session) => index.snapshot(session),
    explain: (name, session) => explainTool(index.ranked, name, session),
    plugins: () => index.ranked.map(({ entry }) => entry),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface RegistryIndex {
  readonly ranked: readonly Registration[];
  snapshot(session: Session): Snapshot;
}

/**
 * One version of the registry, with a snapshot for each tenant, channel and user that make a difference. Those that
 * no plugin names share one, so that the cache cannot grow with the sessions.
 */
function createIndex(ranked: readonly Registration[], version: number): RegistryIndex {
  let named: ReturnType<typeof namedViewers> | undefined;
  const snapshots = new Map<string, Map<string, Snapshot>>();
  const ofUsers = new Map<string, Snapshot>();

  const build = (viewer: Viewer) => {
    const claims = claimNames(ranked, viewer);
    return createSnapshot({ version, selected: selectTools(ranked, viewer, claims).tools, claims });
  };

  const snapshotOfUser = (viewer: Viewer): Snapshot => {
    const key = JSON.stringify(viewer);
    const known = ofUsers.get(key) ?? build(viewer);
    ofUsers.set(key, known);
    return known;
  };

  return {
    ranked,
    snapshot(session) {
      named ??= namedViewers(ranked);
      const tenant = named.tenants.has(session.tenant) ? session.tenant : UNNAMED;
      const channel = named.channels.has(session.channel) ? session.channel : UNNAMED;
      if (named.users.get(tenant)?.has(session.user)) return snapshotOfUser({ tenant, channel, user: session.user });
      const known = snapshots.get(tenant)?.get(channel);
      if (known) return known;
      const snapshot = build({ tenant, channel, user: UNNAMED });
      const ofTenant = snapshots.get(tenant) ?? new Map<string, Snapshot>();
      snapshots.set(tenant, ofTenant.set(channel, snapshot));
      return snapshot;
    },
  };
}

/** Stands for every tenant or channel that no plugin names; no real one is called so. */
const UNNAMED = '\0';

interface NamedViewers {
  readonly tenants: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  /** By tenant. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
}

function namedViewers(ranked: readonly Registration[]): NamedViewers {
  const tenants = new Set<string>();
  const users = new Map<string, Set<string>>();
  const channels = new Set<string>();
  for (const { entry } of ranked) {
    for (const tenant of entry.tenants ?? []) tenants.add(tenant);
    for (const [tenant, names] of Object.entries(entry.users ?? {}))
      users.set(tenant, new Set([...(users.get(tenant) ?? []), ...names]));
    for (const { channels: own } of [...entry.tools, ...(entry.reserved ?? [])])
      for (const channel of own ?? []) channels.add(channel);
  }
  return { tenants, channels, users };
}
