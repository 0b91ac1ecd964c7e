import { HostError } from '@toolpost/protocol';
import { createHostCore } from './host-core.ts';
import type { HostOptions } from './host-options.ts';
import { serverOf } from './runtimes/mcp/server-of.ts';

export interface SignInParts {
  readonly pluginId: string;
  /** Whose sign-in it is; "" is nobody's in particular. */
  readonly tenant: string;
  /** Shows a person where to sign in. */
  showAddress(url: URL): void;
  readonly abortSignal: AbortSignal;
}

/**
 * Signs a person in at an MCP server that asks who calls, and keeps the tokens in the home directory.
 * @throws HostError PLUGIN_NOT_FOUND or PLUGIN_LOAD_FAILED, with what the server refused.
 */
export async function signInToServer(options: HostOptions, parts: SignInParts): Promise<void> {
  const { pluginId, tenant } = parts;
  const core = await createHostCore(options);
  try {
    const plugin = core.discovery.plugins.find(({ id }) => id === pluginId);
    const server = plugin && serverOf(plugin, { hostEnvironment: core.pluginEnvironment });
    if (server?.url === undefined) throw notFound(pluginId, plugin !== undefined);
    const { signIn } = await import('./runtimes/mcp/http/oauth/sign-in.ts');
    const { url, headers, oauth } = server;
    const { homeDir, redact } = core;
    await signIn({ ...parts, homeDir, tenant, serverUrl: new URL(url), headers, oauth, redact });
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const reason = core.redact(cause instanceof Error ? `${cause.message}${becauseOf(cause)}` : String(cause));
    throw new HostError('PLUGIN_LOAD_FAILED', `${pluginId}: the sign-in failed: ${reason}`, { cause, pluginId });
  } finally {
    core.callPath.journal.close();
    core.callPath.limits.close();
  }
}

/** `fetch` says why in the cause alone. */
function becauseOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}

function notFound(pluginId: string, isThere: boolean): HostError {
  const why = isThere ? 'is no MCP server with an address, so there is nothing to sign in to' : 'was not found';
  return new HostError('PLUGIN_NOT_FOUND', `the plugin ${pluginId} ${why}`, { pluginId });
}
