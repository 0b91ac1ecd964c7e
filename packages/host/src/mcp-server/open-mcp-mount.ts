import { randomUUID } from 'node:crypto';
import type { Host } from '../host.ts';
import type { Mount } from '../server/mount.ts';

export interface McpMountOptions {
  readonly host: Host;
  /** Shortens every call's own limit, in ms. */
  readonly timeoutMs?: number | undefined;
  /** Gets what the operator should know, as one text. */
  readonly onWarning?: (message: string) => void;
}

/** MCP for the `mounts` of a server: the tools of the token's owner. What it needs is loaded now. */
export async function openMcpMount({ host, timeoutMs, onWarning = () => undefined }: McpMountOptions): Promise<Mount> {
  const { createMcpMount } = await import('./http/mcp-mount.ts');
  const onBug = (error: unknown) =>
    onWarning(host.redact(`a request failed: ${error instanceof Error ? error.stack : String(error)}`));
  return createMcpMount({ host, channel: 'mcp', timeoutMs, onBug, createCallId: () => `mcp-${randomUUID()}` });
}
