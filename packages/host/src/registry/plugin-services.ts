import type { JsonObject, Permission } from '@toolpost/protocol';
import type { LogLevel, Storage } from '@toolpost/sdk';

/** What the user's `toolPolicy` grants a plugin beyond its roots. Everything omitted is denied. */
export interface PluginGrants {
  readonly hosts: readonly string[];
  readonly spawn: boolean;
  /** How much memory one of its sandboxes may have; a default when absent. */
  readonly memoryMb?: number | undefined;
  /** Names of the host's variables that it may see. */
  readonly env?: readonly string[];
}

/** What the host lends the calls of one plugin: the plugin's half of a ToolCallContext. */
export interface PluginServices {
  readonly settings: JsonObject;
  readonly grants: PluginGrants;
  /** Whether the plugin's manifest has the permission. */
  permits(permission: Permission): boolean;
  /** Those that it was asked for and does not have; absent where there is no manifest. */
  readonly lacked?: ReadonlySet<Permission>;
  log(message: string, level?: LogLevel): void;
  /** The plugin's storage for one tenant; what its manifest does not permit rejects. */
  storageFor(tenant: string): Storage;
}
