import type { Manifest } from '@toolpost/protocol';
import { splitCommandLine } from '../processes/split-command-line.ts';
import type { DiscoveredPlugin } from './runtime.ts';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

export interface ProgramOptions {
  /** The program that serves a native plugin over stdio: called with the plugin's folder or single file. */
  serveNativePath: string;
}

/** The program of a plugin and its arguments, as its manifest has them; empty when it has none. */
export function programOf({ dir, file, manifest }: DiscoveredPlugin, { serveNativePath }: ProgramOptions): string[] {
  if (manifest.runtime === 'native') return [process.execPath, serveNativePath, file ?? dir];
  if (file?.endsWith('.py')) return [PYTHON, file];
  if (isModule(manifest)) return [process.execPath, serveNativePath, dir];
  if (manifest.executable !== undefined) return [manifest.executable, ...manifest.args];
  return splitCommandLine(entryOf(manifest) ?? '');
}

/** The entry of a channel may be a module, which exports it; every other one is a program line. */
export function isModule({ runtime, entry = '', executable }: Manifest): boolean {
  return runtime === 'channel' && executable === undefined && /^[^\s]+\.[cm]?[jt]s$/.test(entry);
}

function entryOf({ entry, entryByPlatform = {} }: Manifest): string | undefined {
  if (process.platform === 'win32') return entryByPlatform.windows ?? entry;
  if (process.platform === 'darwin') return entryByPlatform.darwin ?? entry;
  return entryByPlatform.linux ?? entry;
}
