import { basename } from 'node:path';
import type { HostCore } from '../host-core.ts';
import type { Discovery } from '../plugins/discover-plugins.ts';
import type { PluginProblem } from '../plugins/plugin-reading.ts';
import type { FormerSlots } from './create-slots.ts';
import type { PluginPool } from './plugin-pool.ts';
import { secretsOf } from './plugin-services.ts';
import type { PluginSlot } from './plugin-slot.ts';
import { registerProblems } from './register-problems.ts';
import { mayBeEnabledChannel } from './serve-channels.ts';

/** What came of looking for plugins again, by their ids. */
export interface PluginReload {
  readonly added: readonly string[];
  /** Their files changed, or they did not work: they were started again. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Of all that are there now. */
  readonly broken: readonly { readonly id: string; readonly error: string }[];
}

interface Reloading {
  /** All plugins that are there now, in their order. */
  readonly slots: readonly PluginSlot[];
  /** Resolves when those that left have ended, and what is new is known. */
  finish(pool: PluginPool): Promise<PluginReload>;
}

/** Across all hosts of a process: a number that was used stands for the files as they were then. */
let readings = 0;

/**
 * Replaces what is registered of plugins that are new, gone or changed, at once and before anything is awaited: no call
 * meets one that is half there. @throws HostError CONFIG_INVALID; nothing has changed then.
 */
export function reloadPlugins(
  core: HostCore,
  former: readonly PluginSlot[],
  makeSlots: (former: FormerSlots) => PluginSlot[],
): Reloading {
  const found = core.discover();
  const before = idsOf(former, core.discovery);
  const kept = unchanged(core, former, found);
  const left = former.filter((slot) => !kept.has(slot.plugin.id));
  forget(core, left);
  const ended = Promise.all(left.map((slot) => slot.close()));
  take(core, found, kept);
  const slots = makeSlots({ kept, ended, reading: ++readings });
  registerProblems(core);
  const fresh = slots.filter((slot) => !kept.has(slot.plugin.id));
  return {
    slots,
    async finish(pool) {
      await ended;
      await Promise.all([
        pool.learnAll(),
        ...channelsOf(core, left, fresh).map((slot) => slot.load().catch(() => undefined)),
      ]);
      const now = idsOf(slots, found);
      return {
        added: [...now].filter((id) => !before.has(id)),
        changed: fresh.map(({ plugin }) => plugin.id).filter((id) => before.has(id)),
        removed: [...before].filter((id) => !now.has(id)),
        broken: brokenOf(slots, found),
      };
    },
  };
}

/** Those that go on. What does not work is tried again, whatever its files are. */
function unchanged(core: HostCore, former: readonly PluginSlot[], { plugins }: Discovery): Map<string, PluginSlot> {
  const found = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const kept = former.filter(({ plugin, error }) => {
    const now = found.get(plugin.id);
    const isThere = now && plugin.dir === now.dir && plugin.file === now.file && plugin.origin === now.origin;
    return isThere && error === undefined && !core.cache.hasChanged(now);
  });
  return new Map(kept.map((slot) => [slot.plugin.id, slot]));
}

/** Takes away what is registered of these, and of what could not be read the last time. */
function forget({ registry, callPath, discovery }: HostCore, left: readonly PluginSlot[]): void {
  for (const id of [...left.map(({ plugin }) => plugin.id), ...discovery.problems.map(nameOf)]) {
    registry.removePlugin(id);
    callPath.hooks.removePlugin(id);
  }
}

function take(core: HostCore, found: Discovery, kept: ReadonlyMap<string, PluginSlot>): void {
  Object.assign(core.discovery, found);
  for (const warning of found.warnings) core.warn(warning);
  for (const { id, manifest } of found.plugins) if (!kept.has(id)) core.redact.add(secretsOf(manifest, core.settings));
}

/** Channels that were open, and those whose messages are taken from now on: nobody else starts them. */
function channelsOf(
  { channels }: HostCore,
  left: readonly PluginSlot[],
  fresh: readonly PluginSlot[],
): readonly PluginSlot[] {
  const wereOpen = new Set(left.filter(({ offer }) => offer.channel?.isOpen).map(({ plugin }) => plugin.id));
  return fresh.filter(
    (slot) => wereOpen.has(slot.plugin.id) || (channels.isServing && mayBeEnabledChannel(slot, channels)),
  );
}

function idsOf(slots: readonly PluginSlot[], { problems }: Discovery): Set<string> {
  return new Set([...slots.map(({ plugin }) => plugin.id), ...problems.map(nameOf)]);
}

function brokenOf(slots: readonly PluginSlot[], { problems }: Discovery): PluginReload['broken'] {
  const failed = slots.flatMap(({ plugin: { id }, error }) => (error === undefined ? [] : [{ id, error }]));
  return [...failed, ...problems.map((problem) => ({ id: nameOf(problem), error: problem.error.message }))];
}

function nameOf({ id, file, dir }: PluginProblem): string {
  return id ?? basename(file ?? dir);
}
