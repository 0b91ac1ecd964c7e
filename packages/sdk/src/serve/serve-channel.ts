import { type ChannelOptions, type ChannelPlugin, defineChannel } from '../plugin/define-channel.ts';
import { isPlugin } from '../plugin/define-plugin.ts';
import { serveStdio } from './serve-stdio.ts';
import type { StdioConnectionOptions } from './stdio-connection.ts';

/**
 * Serves a channel plugin on standard input and output, as `serveStdio` does a plugin of tools. Never returns.
 * @throws TypeError when a part of it is wrong.
 */
export function serveChannel(
  channel: ChannelOptions | ChannelPlugin,
  options: StdioConnectionOptions = {},
): Promise<never> {
  return serveStdio(isPlugin(channel) ? channel : defineChannel(channel), options);
}
