import type { HostError } from '@toolpost/protocol';
import type { DiscoveredPlugin, PluginOrigin } from '../runtimes/runtime.ts';

/** A plugin folder or file that cannot be used. Its names stay taken: nothing falls back to what it stood before. */
export interface PluginProblem {
  /** The folder, as a real path. */
  readonly dir: string;
  /** The single file of a `tools/NAME.{ts,js,py}` or lone `.wasm` plugin. */
  readonly file?: string;
  /** The key in `mcpServers`, which is no folder. */
  readonly server?: string;
  /** When the manifest says so much. */
  readonly id?: string;
  readonly origin: PluginOrigin;
  /** MANIFEST_INVALID, naming the folder and what is wrong. */
  readonly error: HostError;
  /** The tools that the broken manifest declares. */
  readonly toolNames: readonly string[];
}

/** What was found at one place. */
export type PluginReading =
  | { readonly plugin: DiscoveredPlugin; readonly warnings: readonly string[] }
  | { readonly problem: PluginProblem };
