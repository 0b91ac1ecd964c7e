import { resolve } from 'node:path';
import { pickEnvironment } from '../../processes/environment.ts';
import { expandVariables } from '../../settings/expand-variables.ts';
import type { Launch } from '../plugin-pipe.ts';
import { programOf } from '../program-of.ts';
import type { DiscoveredPlugin, McpServer, RuntimeContext } from '../runtime.ts';

/** The server of a plugin: of the configuration, or of the manifest in a plugin's folder. */
export function serverOf(plugin: DiscoveredPlugin, context: Pick<RuntimeContext, 'hostEnvironment'>): McpServer {
  if (plugin.server) return plugin.server;
  const { manifest } = plugin;
  if (manifest.url === undefined) return { env: {}, headers: {} };
  // A manifest names the variables that it gets.
  const granted = Object.fromEntries(manifest.env.map((name) => [name, context.hostEnvironment[name]]));
  return {
    url: expandVariables(manifest.url, granted),
    headers: Object.fromEntries(
      Object.entries(manifest.headers ?? {}).map(([name, value]) => [name, expandVariables(value, granted)]),
    ),
    env: {},
  };
}

/** How a server that is a process is started. @throws RangeError when there is nothing to run. */
export function launchOf(plugin: DiscoveredPlugin, server: McpServer, context: RuntimeContext): Launch {
  const [command, ...args] = programOf(plugin, { serveNativePath: '' });
  if (command === undefined) throw new RangeError('it names neither a command nor an entry to run');
  const { dir, manifest } = plugin;
  const isRelative = /[/\\]/.test(command);
  return {
    command: isRelative ? resolve(dir, command) : command,
    args,
    cwd: dir,
    env: pickEnvironment({ host: context.hostEnvironment, names: manifest.env, set: server.env }),
  };
}
