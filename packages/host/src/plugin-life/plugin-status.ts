import { basename } from 'node:path';
import type { HostCore } from '../host-core.ts';
import type { PluginPool } from './plugin-pool.ts';
import type { PluginSlot, PluginState } from './plugin-slot.ts';

/** One plugin as `plugins list` shows it. */
export interface PluginStatus {
  readonly id: string;
  readonly version: string;
  readonly runtime: string;
  readonly origin: string;
  readonly state: PluginState;
  /** The file when it is a loose one. */
  readonly dir: string;
  /** A single file, which has no version of its own. */
  readonly isLoose: boolean;
  readonly tools: readonly string[];
  readonly error?: string;
}

/** All plugins in their order, then those whose manifest is not valid. */
export function statusOf({ discovery, registry }: HostCore, { slots }: PluginPool): PluginStatus[] {
  const registered = new Map(registry.plugins().map((entry) => [entry.id, entry]));
  const toolsOf = (id: string) => (registered.get(id)?.tools ?? []).map(({ name }) => name).sort();
  return [
    ...slots.map((slot) => describe(slot, toolsOf(slot.plugin.id))),
    ...discovery.problems.map(({ dir, id, error }) => ({
      id: id ?? basename(dir),
      version: '',
      runtime: '',
      origin: '',
      state: 'error' as const,
      dir,
      isLoose: false,
      tools: [],
      error: error.message,
    })),
  ];
}

function describe({ plugin, state, error }: PluginSlot, tools: readonly string[]): PluginStatus {
  const { id, dir, file, manifest, origin } = plugin;
  return {
    id,
    version: manifest.version,
    runtime: manifest.runtime,
    origin,
    state,
    dir: file ?? dir,
    isLoose: file !== undefined,
    tools,
    ...(error !== undefined && { error }),
  };
}
