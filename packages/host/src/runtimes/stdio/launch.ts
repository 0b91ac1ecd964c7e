import { join, resolve } from 'node:path';
import { pickEnvironment } from '../../processes/environment.ts';
import type { Launch } from '../plugin-pipe.ts';
import { type ProgramOptions, programOf } from '../program-of.ts';
import type { DiscoveredPlugin, RuntimeContext } from '../runtime.ts';

/**
 * Reads from the manifest how a plugin is started: `executable` with `args` as it is, else `entry` split like a shell
 * would. A TypeScript plugin of a project runs in a process of its own, through the host's own Node.
 * @throws RangeError when there is nothing to run.
 */
export function resolveLaunch(plugin: DiscoveredPlugin, context: RuntimeContext, options: ProgramOptions): Launch {
  const { dir, manifest } = plugin;
  const [command, ...args] = programOf(plugin, options);
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
