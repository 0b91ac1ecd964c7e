import { resolveInRoots, type Sandbox } from '@toolpost/sdk';
import type { PluginGrants } from '../registry/plugin-services.ts';

/** What a call may touch, as its context shows it. */
export function createSandbox(roots: readonly string[], { hosts, spawn }: PluginGrants): Sandbox {
  return { roots, hosts, spawn, resolvePath: (path) => resolveInRoots(roots, path) };
}
