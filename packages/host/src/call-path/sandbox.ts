import type { Sandbox } from '@toolpost/sdk';
import type { PluginGrants } from '../registry/plugin-services.ts';

/** Resolves a path inside the roots by its real path, and throws for any other one. */
export type ConfinePath = (roots: readonly string[], path: string) => Promise<string>;

/** What a call may touch, as its context shows it. */
export function createSandbox(roots: readonly string[], { hosts, spawn }: PluginGrants, confine: ConfinePath): Sandbox {
  return { roots, hosts, spawn, resolvePath: (path) => confine(roots, path) };
}
