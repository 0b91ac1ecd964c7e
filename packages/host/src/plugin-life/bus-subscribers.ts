import { matchesTopic } from '@toolpost/protocol';
import type { BusContext } from '@toolpost/sdk';
import type { Subscriber } from '../bus/event-bus.ts';
import type { SentMessage } from '../bus/message-queue.ts';
import type { HostCore } from '../host-core.ts';
import { isForPerson } from '../registry/audience.ts';
import { isPermitted } from './plugin-entry.ts';
import type { PluginSlot } from './plugin-slot.ts';

/** The plugins that may hear of messages. One of which nothing is known yet is started to ask it. */
export function busSubscribers(core: HostCore, slots: readonly PluginSlot[]): Subscriber[] {
  return slots.filter(mayHear).map((slot) => ({
    pluginId: slot.plugin.id,
    wants: (message) => wants(core, slot, message),
    deliver: (message, abortSignal) => deliver(core, slot, { message, abortSignal }),
    onProblem(problem) {
      slot.services.log(problem, 'warn');
      core.warn(`plugin ${slot.plugin.id}: ${problem}`);
    },
  }));
}

function mayHear({ isDisabled, plugin: { manifest } }: PluginSlot): boolean {
  return !isDisabled && isPermitted(manifest, 'bus.plugin') && isPermitted(manifest, 'bus.read');
}

function wants(core: HostCore, slot: PluginSlot, { topic, tenant }: SentMessage): boolean {
  const entry = core.registry.plugins().find(({ id }) => id === slot.plugin.id);
  // A message is its tenant's, and no single user's.
  if (entry && !isForPerson(entry, { tenant, user: '' })) return false;
  const isKnown = slot.knowledge === 'own' || slot.knowledge === 'cached';
  return !isKnown || hears(slot.offer.subscriptions, topic);
}

function hears(subscriptions: readonly string[] = [], topic: string): boolean {
  return subscriptions.some((pattern) => matchesTopic(pattern, topic));
}

interface Delivery {
  readonly message: SentMessage;
  readonly abortSignal: AbortSignal;
}

async function deliver(core: HostCore, slot: PluginSlot, { message, abortSignal }: Delivery): Promise<void> {
  const { topic, from, tenant, json, depth } = message;
  const { services } = slot;
  const own = slot.forTenant(tenant);
  const loaded = await own.load();
  if (!hears(loaded.subscriptions, topic)) return;
  await own.running();
  const sender = { pluginId: slot.plugin.id, tenant, depth: depth + 1, permits: services.permits };
  const context: BusContext = {
    storage: services.storageFor(tenant),
    settings: services.settings,
    publish: async (to, data) => core.bus.publish(sender, to, data),
    abortSignal,
    log: (text, level) => services.log(core.redact(text), level),
  };
  await loaded.receive?.({ topic, from, tenant, data: JSON.parse(json) }, context);
}
