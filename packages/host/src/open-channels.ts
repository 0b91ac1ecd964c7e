import type { ChannelService, ChannelServiceOptions } from './channels/channel-service.ts';

const NONE: ChannelService = {
  names: [],
  started: Promise.resolve(),
  stop: () => undefined,
  close: async () => undefined,
};

/**
 * Serves the channels that the user has enabled: their plugins run, their messages become turns, and the replies go back.
 * A plugin that does not start is tried again. Whoever opens it calls `stop`, then closes the sessions, then calls
 * `close`, and after that closes host and store.
 */
export async function openChannels(options: ChannelServiceOptions): Promise<ChannelService> {
  const isEnabled = Object.values(options.host.settings.channels).some(({ enabled }) => String(enabled) === 'true');
  if (!isEnabled) return NONE;
  const { createChannelService } = await import('./channels/channel-service.ts');
  return createChannelService(options);
}
