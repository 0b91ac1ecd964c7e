import { basename } from 'node:path';
import type { ChannelWidget } from '@toolpost/protocol';
import type { HookListing } from '../hooks/run-hooks.ts';
import type { HostCore } from '../host-core.ts';
import type { PluginPool } from './plugin-pool.ts';
import type { PluginSlot, PluginState } from './plugin-slot.ts';
import { type PluginProcessStatus, processesOf } from './process-status.ts';

/** One plugin as `plugins list` shows it. */
export interface PluginStatus {
  readonly id: string;
  readonly version: string;
  readonly runtime: string;
  readonly origin: string;
  readonly state: PluginState;
  /** The file when it is a loose one. */
  readonly dir: string;
  /** A single file, or a server of the configuration: neither has a manifest or a version of its own. */
  readonly isLoose: boolean;
  readonly tools: readonly string[];
  /** Those it has by its permissions. */
  readonly hooks: readonly HookListing[];
  readonly error?: string;
  /** Those that it is for alone; empty where it is for all. */
  readonly tenants: readonly string[];
  /** What runs of it serves all tenants. */
  readonly isShared: boolean;
  /** The channel that it is; absent where it is none. */
  readonly channel?: { readonly name: string; readonly isEnabled: boolean; readonly widgets: readonly ChannelWidget[] };
  /** The processes that run of it, one for each tenant where it may not serve all. */
  readonly processes: readonly PluginProcessStatus[];
}

/** All plugins in their order, then those whose manifest is not valid. */
export function statusOf({ discovery, registry, callPath }: HostCore, { slots }: PluginPool): PluginStatus[] {
  const registered = new Map(registry.plugins().map((entry) => [entry.id, entry]));
  const tenantsOf = (id: string) => registered.get(id)?.tenants ?? [];
  const toolsOf = (id: string) => (registered.get(id)?.tools ?? []).map(({ name }) => name).sort();
  const hooks = Map.groupBy(callPath.hooks.list(), ({ plugin }) => plugin);
  return [
    ...slots.map((slot) => {
      const { id } = slot.plugin;
      return describe(slot, { tools: toolsOf(id), hooks: hooks.get(id) ?? [], tenants: tenantsOf(id) });
    }),
    ...discovery.problems.map(({ dir, id, error }) => ({
      id: id ?? basename(dir),
      version: '',
      runtime: '',
      origin: '',
      state: 'error' as const,
      dir,
      isLoose: false,
      tools: [],
      hooks: [],
      error: error.message,
      tenants: [],
      isShared: true,
      processes: [],
    })),
  ];
}

type Offered = Pick<PluginStatus, 'tools' | 'hooks' | 'tenants'>;

function describe(slot: PluginSlot, { tools, hooks, tenants }: Offered): PluginStatus {
  const { plugin, state, error } = slot;
  const { id, dir, file, manifest, origin, server } = plugin;
  const { name, isEnabled, widgets } = slot.offer.channel ?? {};
  const channel = name !== undefined && { name, isEnabled: isEnabled === true, widgets: widgets ?? [] };
  return {
    id,
    version: manifest.version,
    runtime: slot.runtimeName,
    origin,
    state,
    dir: file ?? dir,
    isLoose: file !== undefined || server !== undefined,
    tools,
    hooks,
    ...(error !== undefined && { error }),
    tenants,
    isShared: slot.tenant === undefined,
    ...(channel && { channel }),
    processes: processesOf(slot),
  };
}
