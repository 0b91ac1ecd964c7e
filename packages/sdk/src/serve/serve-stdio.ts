import { definePlugin, isPlugin, type Plugin, type PluginOptions } from '../plugin/define-plugin.ts';
import type { LogLevel } from '../tool-call-context.ts';
import { type ExtendWire, serveConnection } from './serve-connection.ts';
import { createStdioConnection, type StdioConnectionOptions } from './stdio-connection.ts';
import { withDeadline } from './with-deadline.ts';

/** A host that lives but does not read must not keep the process. */
const DRAIN_MS = 5000;

/**
 * Serves a plugin on standard input and output, until the host deactivates it or is gone; then the process ends, also
 * with timers alive. Both versions of the protocol are spoken. `console.log` goes to stderr, which is the plugin's log.
 */
export function serveStdio(plugin: Plugin | PluginOptions, options: StdioConnectionOptions = {}): Promise<never> {
  return serveExtended(isPlugin(plugin) ? plugin : definePlugin(plugin), options);
}

/** As `serveStdio`, with more words. */
export async function serveExtended(
  plugin: Plugin,
  options: StdioConnectionOptions,
  extend?: ExtendWire,
): Promise<never> {
  const connection = createStdioConnection(options);
  await serveConnection(plugin, connection, { log: logToStderr, ...(extend && { extend }) });
  await withDeadline(connection.drain(), DRAIN_MS);
  process.exit(0);
}

function logToStderr(message: string, level: LogLevel = 'info'): void {
  process.stderr.write(level === 'info' ? `${message}\n` : `${level}: ${message}\n`);
}
