import type { LoadProcess } from '../process-extension.ts';
import type { Runtime } from '../runtime.ts';
import { ChannelPlugin } from './channel-plugin.ts';

/**
 * The runtime of stdio plugins that may be a channel: one process that answers `activate` with a `channel_provider`, and
 * gets `channel_config` when the user has enabled its channel (design section 4, section 6 of the reference). A plugin
 * that turns out to be no channel is a stdio plugin like any other.
 */
export function createChannelRuntime(loadProcess: LoadProcess): Runtime {
  return { load: (plugin, context) => ChannelPlugin.load({ plugin, context, loadProcess }) };
}
