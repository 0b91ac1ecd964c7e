import { join, resolve } from 'node:path';
import type { Manifest } from '@toolpost/protocol';
import { pickEnvironment } from '../../processes/environment.ts';
import { splitCommandLine } from '../../processes/split-command-line.ts';
import type { DiscoveredPlugin, RuntimeContext } from '../runtime.ts';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/** How a plugin's process is started. */
export interface Launch {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

export interface LaunchOptions {
  /** The program that serves a native plugin over stdio: called with the plugin's folder or single file. */
  serveNativePath: string;
}

/**
 * Reads from the manifest how a plugin is started: `executable` with `args` as it is, else `entry` split like a shell
 * would. A TypeScript plugin of a project runs in a process of its own, through the host's own Node.
 * @throws RangeError when there is nothing to run.
 */
export function resolveLaunch(plugin: DiscoveredPlugin, context: RuntimeContext, options: LaunchOptions): Launch {
  const { dir, manifest } = plugin;
  const [command, ...args] = commandOf(plugin, options);
  if (command === undefined) throw new RangeError('its manifest names neither an executable nor an entry to run');
  const isRelative = /[/\\]/.test(command);
  const env = pickEnvironment({
    host: context.hostEnvironment,
    names: manifest.env,
    set: plugin.origin === 'project' ? ownPythonCache(context.homeDir) : {},
    pythonDir: context.pythonDir,
  });
  return { command: isRelative ? resolve(dir, command) : command, args, cwd: dir, env };
}

/**
 * Compiled files beside a project's source would run in its place, and are no part of what a person has accepted. Only
 * there, as it also moves the standard library's compiled files: the first start in a home then compiles them anew.
 */
function ownPythonCache(homeDir: string): Record<string, string> {
  return { PYTHONPYCACHEPREFIX: join(homeDir, 'cache', 'pycache') };
}

/** The program of a plugin and its arguments, as its manifest has them; empty when it has none. */
export function commandOf({ dir, file, manifest }: DiscoveredPlugin, { serveNativePath }: LaunchOptions): string[] {
  if (manifest.runtime === 'native') return [process.execPath, serveNativePath, file ?? dir];
  if (file?.endsWith('.py')) return [PYTHON, file];
  if (manifest.executable !== undefined) return [manifest.executable, ...manifest.args];
  return splitCommandLine(entryOf(manifest) ?? '');
}

function entryOf({ entry, entryByPlatform = {} }: Manifest): string | undefined {
  if (process.platform === 'win32') return entryByPlatform.windows ?? entry;
  if (process.platform === 'darwin') return entryByPlatform.darwin ?? entry;
  return entryByPlatform.linux ?? entry;
}
