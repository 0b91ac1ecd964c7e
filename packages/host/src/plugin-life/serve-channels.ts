import { setTimeout as sleep } from 'node:timers/promises';
import type { HostCore } from '../host-core.ts';
import { mayBeChannel } from '../runtimes/may-be-channel.ts';
import type { ChannelFront, ChannelHub } from './channel-hub.ts';
import type { PluginSlot } from './plugin-slot.ts';

const RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

export interface ServedChannels {
  /** Resolves when each was tried once. Never rejects. */
  readonly started: Promise<void>;
  /** Ends a plugin and starts it again, so that its channel is told anew whether its messages are taken. */
  restart(pluginId: string): void;
  /** Ends the plugins that were told that their messages are taken; hands nothing to the front any more. Never rejects. */
  end(): Promise<void>;
}

/**
 * Starts the plugin of each enabled channel, and hands what comes in to the front. A plugin that does not start is tried
 * again, later each time; once it runs, it is kept running by its runtime.
 */
export function serveChannels(
  { channels, warn }: HostCore,
  slots: () => readonly PluginSlot[],
  front: ChannelFront,
): ServedChannels {
  const ending = new AbortController();
  channels.setFront(front);
  const start = async (slot: PluginSlot) => {
    // One that runs already was told something else.
    if (slot.offer.channel?.isOpen) await slot.stop();
    const isStarted = await slot.load().then(
      () => true,
      () => false,
    );
    if (!isStarted) void keepTrying(slot, ending.signal).catch(() => undefined);
  };
  const starting = Promise.all(
    slots()
      .filter((slot) => mayBeEnabledChannel(slot, channels))
      .map(start),
  );
  const started = starting.then(() => {
    const open = new Set([...channels.ports].map(({ name }) => name));
    for (const name of ending.signal.aborted ? [] : channels.enabledNames)
      if (!open.has(name)) warn(`configuration: channels.${name} is enabled, and no plugin that runs is this channel`);
  });
  return {
    started,
    restart(pluginId) {
      const slot = slots().find(({ plugin }) => plugin.id === pluginId);
      if (slot && !ending.signal.aborted) void start(slot);
    },
    async end() {
      ending.abort();
      const open = slots().filter(({ offer }) => offer.channel?.isOpen);
      await Promise.all(open.map((slot) => slot.stop()));
      channels.setFront(undefined);
    },
  };
}

/** Where the manifest does not name the channel, only the plugin itself tells. */
export function mayBeEnabledChannel(slot: PluginSlot, { configOf }: Pick<ChannelHub, 'configOf'>): boolean {
  const { manifest } = slot.plugin;
  if (slot.isDisabled || !mayBeChannel(manifest)) return false;
  const name = manifest.contributes.channelProvider?.name ?? slot.offer.channel?.name;
  return typeof name !== 'string' || configOf(name) !== undefined;
}

async function keepTrying(slot: PluginSlot, signal: AbortSignal): Promise<void> {
  for (let delayMs = RETRY_MS; ; delayMs = Math.min(MAX_RETRY_MS, delayMs * 2)) {
    await sleep(delayMs, undefined, { signal, ref: false });
    // Another has taken its place.
    if (slot.isClosed) return;
    try {
      await slot.load();
      return;
    } catch {
      // Its slot keeps the reason, which was told.
    }
  }
}
