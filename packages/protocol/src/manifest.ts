import type { JsonObject, JsonSchema } from './json.ts';

export const RUNTIME_NAMES = ['native', 'stdio', 'channel', 'wasm', 'mcp', 'script'] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

export const PERMISSIONS = [
  'tools.register',
  'tools.call',
  'hooks.subscribe',
  'context.enrich',
  'storage.private',
  'storage.shared',
  'network.outbound',
  'bus.read',
  'bus.write',
  'bus.plugin',
  'ui.contribute',
  'channels.register',
  'commands.register',
  'cron.schedule',
  'ui.themes',
  'ui.overlay',
  'notifications.send',
  'rpc',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface ManifestTool {
  name: string;
  description: string;
  inputSchema?: JsonSchema;
}

export interface HookDeclaration {
  event: string;
  /** `*`, exact, `p*`, `*s` or `*mid*` on the tool's name; absent or empty means every tool. */
  matcher?: string;
  /** A hook that fails or times out denies the call instead of being skipped. */
  failClosed?: boolean;
}

export interface ConfigurationProperty {
  type: string;
  default?: unknown;
  description?: string;
  /** Without a default, the plugin does not start before the user has set it. */
  required?: boolean;
  /** Its value passes the redactor; `type: "password"` means the same. */
  secret?: boolean;
}

/** `plugin.json` with every alias resolved and every default filled in: section 8 of the reference. */
export interface Manifest {
  id: string;
  name: string;
  version: string;
  description: string;
  author?: string;
  homepage?: string;
  runtime: RuntimeName;
  /** Program line of a stdio plugin, module of a native one, `.wasm` file of a wasm one. */
  entry?: string;
  entryByPlatform?: { windows?: string; darwin?: string; linux?: string };
  /** Beats `entry`; run as it is, with `args`. */
  executable?: string;
  args: string[];
  activationEvents: string[];
  permissions: (Permission | '*')[];
  dependencies: { id: string; version?: string }[];
  /** Bounds one call. */
  timeoutMs: number;
  /** When set, output and progress renew `timeoutMs` up to this. */
  maxTimeoutMs?: number;
  startTimeoutMs: number;
  /** Names of host variables that the plugin's process may see. */
  env: string[];
  failClosed: boolean;
  instances?: 'session' | 'shared' | 'call';
  /** One process may serve all tenants; without it each tenant gets one of its own. */
  sharedAcrossTenants?: boolean;
  /** One line from a stdio plugin may be this long; a longer one fails its call. */
  maxLineBytes?: number;
  /** Address of an MCP server; its headers may hold `${VAR}` of `env`. */
  url?: string;
  headers?: Record<string, string>;
  /** Whether a changed tool of an MCP server waits to be accepted; absent means true. */
  pin?: boolean;
  web?: JsonObject;
  contributes: {
    tools: ManifestTool[];
    hooks: HookDeclaration[];
    channelProvider?: JsonObject;
    configuration?: { title?: string; properties: Record<string, ConfigurationProperty> };
    [other: string]: unknown;
  };
  [other: string]: unknown;
}
