import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { HostError } from '@toolpost/protocol';

/**
 * The roots as real paths, each once, in their order.
 * @throws HostError CONFIG_INVALID that names one that is no directory.
 */
export function realRoots(roots: readonly string[], baseDir: string): string[] {
  return [...new Set(roots.map((root) => realRoot(root.replace(/^~(?=$|[/\\])/, homedir()), baseDir)))];
}

function realRoot(root: string, baseDir: string): string {
  const path = resolve(baseDir, root);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw new HostError('CONFIG_INVALID', `the root ${path} does not exist: give --root an existing directory`, {
      cause: error,
    });
  }
  throw new HostError('CONFIG_INVALID', `the root ${path} is not a directory`);
}
