import { isChannelPlugin } from '../plugin/define-channel.ts';
import { definePlugin, isPlugin, type Plugin, type PluginOptions } from '../plugin/define-plugin.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { ChannelWire } from './channel-wire.ts';
import { type ExtendWire, serveConnection } from './serve-connection.ts';
import { createStdioConnection, type StdioConnectionOptions } from './stdio-connection.ts';
import { withDeadline } from './with-deadline.ts';

/** A host that lives but does not read must not keep the process. */
const DRAIN_MS = 5000;

/**
 * Serves a plugin on standard input and output, until the host deactivates it or is gone; then the process ends, also
 * with timers alive. Both versions of the protocol are spoken. `console.log` goes to stderr, which is the plugin's log.
 */
export async function serveStdio(plugin: Plugin | PluginOptions, options: StdioConnectionOptions = {}): Promise<never> {
  const connection = createStdioConnection(options);
  const served = isPlugin(plugin) ? plugin : definePlugin(plugin);
  const extend: ExtendWire | undefined = isChannelPlugin(served)
    ? (calls) => new ChannelWire(served.channel, calls)
    : undefined;
  await serveConnection(served, connection, { log: logToStderr, ...(extend && { extend }) });
  await withDeadline(connection.drain(), DRAIN_MS);
  process.exit(0);
}

function logToStderr(message: string, level: LogLevel = 'info'): void {
  process.stderr.write(level === 'info' ? `${message}\n` : `${level}: ${message}\n`);
}
