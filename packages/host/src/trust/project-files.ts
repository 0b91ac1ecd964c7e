import { realpathSync } from 'node:fs';
import { HostError } from '@toolpost/protocol';
import { createPins, pinFolder, pinText } from './pin-files.ts';

/** What of a root a person must accept before it is loaded or obeyed, as it was at one moment. */
export interface ProjectFiles {
  /** Real path. */
  readonly root: string;
  /** Content hashes by name: relative to the root, with `/`, sorted. Empty when there is nothing to trust. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Text of AGENTS.md. This and the next two are the bytes that were hashed: nothing can slip in between. */
  readonly agents?: string;
  /** Text of `.mcp.json`. */
  readonly mcpConfig?: string;
  /** Text of `.toolpost/config.json`. */
  readonly config?: string;
}

/**
 * Reads what a root would have loaded: AGENTS.md, .mcp.json, .toolpost/config.json and every file of .toolpost/plugins
 * and .toolpost/tools. Modes do not count: whoever accepted a text accepted that it runs. Where there is nothing, it
 * costs a few stats.
 * @throws HostError CONFIG_INVALID that names what cannot be pinned: a link out of the root, a device, a heap of files.
 */
export function readProjectFiles(root: string): ProjectFiles {
  const realRoot = realFolder(root);
  const pins = createPins(realRoot);
  try {
    const agents = pinText(pins, 'AGENTS.md');
    const mcpConfig = pinText(pins, '.mcp.json');
    const config = pinText(pins, '.toolpost/config.json');
    pinFolder(pins, '.toolpost/plugins', isWrittenByPlugins);
    pinFolder(pins, '.toolpost/tools', isWrittenByPlugins);
    const hashes = Object.fromEntries([...pins.hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      root: realRoot,
      hashes,
      ...(agents !== undefined && { agents }),
      ...(mcpConfig !== undefined && { mcpConfig }),
      ...(config !== undefined && { config }),
    };
  } catch (error) {
    if (error instanceof HostError) throw error;
    throw new HostError('CONFIG_INVALID', `cannot be trusted: ${realRoot} cannot be read: ${error}`, { cause: error });
  }
}

function realFolder(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    throw new HostError('CONFIG_INVALID', `the root ${root} does not exist or cannot be read`, { cause: error });
  }
}

/** Python's caches, and the one folder of a plugin that it may write to. */
function isWrittenByPlugins(name: string): boolean {
  return name.endsWith('/__pycache__') || /^\.toolpost\/plugins\/[^/]+\/data$/.test(name);
}
