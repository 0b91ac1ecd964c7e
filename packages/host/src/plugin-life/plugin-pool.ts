import type { ToolDefinition } from '@toolpost/protocol';
import { mapBounded } from './map-bounded.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** More starts at once would run into limits of processes and files, and hide the real cause (fault A 28). */
const MAX_STARTS_AT_ONCE = 16;

/** The plugins of a host in their order, started only as far as a question needs. */
export interface PluginPool {
  readonly slots: readonly PluginSlot[];
  /** Makes every plugin's tools known: what was never seen is started, in parallel. Failures stay in their slots. */
  learnAll(): Promise<void>;
  /** Makes known what a call of this name needs: its own plugin, and those that might take the name or hook into it. */
  learnFor(name: string): Promise<void> | undefined;
  /** Starts every enabled plugin, as `plugins list` does to tell the truth. */
  startAll(): Promise<void>;
  close(): Promise<void>;
}

export function createPluginPool(slots: readonly PluginSlot[]): PluginPool {
  const enabled = slots.filter((slot) => !slot.isDisabled);
  let isAllKnown = false;

  async function start(some: readonly PluginSlot[]): Promise<void> {
    await mapBounded(some, MAX_STARTS_AT_ONCE, (slot) => slot.runner.ready().catch(() => undefined));
  }

  /** A plugin that was thought to have the name may turn out not to: then others are asked, each once. */
  async function startFor(name: string, first: readonly PluginSlot[]): Promise<void> {
    const asked = new Set<PluginSlot>();
    for (let needed = first; needed.length > 0; ) {
      await start(needed);
      for (const slot of needed) asked.add(slot);
      needed = neededFor(name, enabled).filter((slot) => !asked.has(slot));
    }
  }

  return {
    slots,
    async learnAll() {
      if (isAllKnown) return;
      await start(enabled.filter((slot) => !isKnown(slot) && mayOffer(slot)));
      isAllKnown = true;
    },
    learnFor(name) {
      if (isAllKnown) return undefined;
      const needed = neededFor(name, enabled);
      return needed.length === 0 ? undefined : startFor(name, needed);
    },
    startAll: () => start(enabled),
    async close() {
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

/** A plugin that failed is as known as it gets: its next call tries again. */
function isKnown(slot: PluginSlot): boolean {
  return slot.knowledge === 'own' || slot.knowledge === 'cached' || slot.error !== undefined;
}

function mayOffer({ plugin: { manifest } }: PluginSlot): boolean {
  return has(manifest.permissions, 'tools.register') || has(manifest.permissions, 'hooks.subscribe');
}

function has(permissions: readonly string[], permission: string): boolean {
  return permissions.includes(permission) || permissions.includes('*');
}

/**
 * A declared name is enough to start only its plugin; those that come before it in the order and declare nothing might
 * take the name, so they are asked too. Where nobody declares it, everyone is.
 */
function neededFor(name: string, enabled: readonly PluginSlot[]): readonly PluginSlot[] {
  const folded = name.toLowerCase();
  const owner = enabled.findIndex(({ offer }) =>
    offer.tools.some((tool: ToolDefinition) => tool.name.toLowerCase() === folded),
  );
  return enabled.filter((slot, index) => {
    if (isKnown(slot) || !mayOffer(slot)) return false;
    if (owner === -1 || index === owner || (index < owner && slot.knowledge === 'none')) return true;
    return mayHaveUnknownHooks(slot);
  });
}

function mayHaveUnknownHooks({ plugin: { manifest } }: PluginSlot): boolean {
  return has(manifest.permissions, 'hooks.subscribe') && manifest.contributes.hooks.length === 0;
}
