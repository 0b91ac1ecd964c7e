import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Sandbox } from '@toolpost/sdk';
import type { PluginGrants } from '../registry/plugin-services.ts';

/** What a call may touch, as its context shows it. */
export function createSandbox(roots: readonly string[], grants: PluginGrants): Sandbox {
  return {
    roots,
    hosts: grants.hosts,
    spawn: grants.spawn,
    async resolvePath(path) {
      const real = await realPathOfDeepest(resolve(roots[0] ?? '/', path));
      if (roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))) return real;
      throw new Error(`${JSON.stringify(path)} lies outside the roots of this session (${roots.join(', ') || 'it has none'})`);
    },
  };
}

/** The real path of the deepest part that exists, with the rest behind it: a target need not exist yet. */
async function realPathOfDeepest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    return join(await realPathOfDeepest(parent), basename(path));
  }
}
