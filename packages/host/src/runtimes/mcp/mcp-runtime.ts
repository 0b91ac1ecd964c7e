import { HostError, messageOf } from '@toolpost/protocol';
import type { DiscoveredPlugin, Runtime, RuntimeContext } from '../runtime.ts';
import { McpPlugin, type McpPluginOptions } from './mcp-plugin.ts';
import { introduce } from './protocol-eras.ts';
import { launchOf, serverOf } from './server-of.ts';
import { openStdioTransport } from './stdio-transport.ts';

export interface McpRuntimeOptions {
  /** What we tell servers of ourselves. */
  readonly hostVersion: string;
}

/** The runtime of MCP servers: processes that speak MCP on stdin and stdout, and servers with an address. */
export function createMcpRuntime({ hostVersion }: McpRuntimeOptions): Runtime {
  const introduction = introduce(hostVersion);
  return {
    async load(plugin, context) {
      return McpPlugin.start({ plugin, context, introduction, openTransport: await transportOf(plugin, context) });
    },
  };
}

async function transportOf(
  plugin: DiscoveredPlugin,
  context: RuntimeContext,
): Promise<McpPluginOptions['openTransport']> {
  try {
    const server = serverOf(plugin, context);
    if (server.url !== undefined) {
      const { url } = server;
      // Loaded before the server's time to start begins: how long that takes is no fault of it.
      const { openHttpTransport } = await import('./http/http-transport.ts');
      return (parts) => openHttpTransport({ ...server, url }, plugin, parts);
    }
    const launch = launchOf(plugin, server, context);
    return (parts) => openStdioTransport({ plugin, context: parts.context, launch }, parts.handlers);
  } catch (cause) {
    const reason = messageOf(cause);
    const message = `The plugin ${plugin.id} could not be started: ${reason}`;
    throw new HostError('MANIFEST_INVALID', message, { cause, pluginId: plugin.id });
  }
}
