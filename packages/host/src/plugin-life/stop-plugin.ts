import { HostError, messageOf } from '@toolpost/protocol';
import type { PluginSlot } from './plugin-slot.ts';

export interface StopPluginOptions {
  /** Only the process that serves this tenant; all when absent. */
  readonly tenant?: string | undefined;
  readonly restart?: boolean | undefined;
}

/** Ends what runs of a plugin, and starts it again with `restart`. */
export async function stopPlugin(
  slots: readonly PluginSlot[],
  id: string,
  { tenant, restart = false }: StopPluginOptions = {},
): Promise<void> {
  const slot = slots.find(({ plugin }) => plugin.id === id);
  if (!slot)
    throw new HostError('PLUGIN_NOT_FOUND', `there is no plugin ${JSON.stringify(id)}: list them to see their ids`);
  const concerned = tenant === undefined ? slot.all : [slot.forTenant(tenant)];
  await Promise.all(concerned.map(stop));
  if (restart) await Promise.all(concerned.map(start));
}

async function stop(slot: PluginSlot): Promise<void> {
  const wasRunning = slot.state === 'active';
  await slot.stop();
  if (wasRunning) slot.tellStopped();
}

async function start(slot: PluginSlot): Promise<void> {
  try {
    await slot.load();
  } catch (error) {
    const reason = messageOf(error);
    throw new HostError('PLUGIN_LOAD_FAILED', reason, { cause: error, pluginId: slot.plugin.id });
  }
}
