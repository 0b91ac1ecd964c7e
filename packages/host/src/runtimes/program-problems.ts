import { accessSync, constants, statSync } from 'node:fs';
import { basename, delimiter, join, resolve } from 'node:path';
import { messageOf } from '@toolpost/protocol';
import { explainStartFailure } from '../processes/start-failure.ts';
import { findEntry } from './native/find-entry.ts';
import { isModule, programOf } from './program-of.ts';
import type { DiscoveredPlugin } from './runtime.ts';

const WINDOWS_ENDINGS = '.COM;.EXE;.BAT;.CMD';
/** A word that a program would take for a file; white space is in what a shell is given after `-c`. */
const SCRIPT = /^[^\s:]+\.(?:py|[cm]?[jt]sx?|rb|sh|bash|pl|php|lua|jar|exs?|r)$/i;
/** Their first word is a package, which may be called `left.js`. */
const PACKAGE_RUNNERS = /^(?:npx|pnpx|bunx|uvx|pipx)(?:\.\w+)?$/i;

/** What a plugin's manifest names to be run and is not there. Runs nothing. */
export function programProblems(plugin: DiscoveredPlugin): string[] {
  const { runtime, url } = plugin.manifest;
  if (runtime === 'native' || isModule(plugin.manifest)) return thrownBy(() => checkModule(plugin));
  if (runtime === 'wasm') return componentProblems(plugin);
  if (runtime === 'script' || url !== undefined) return [];
  return thrownBy(() => checkProcess(plugin));
}

function checkModule({ dir, file, manifest: { id, entry } }: DiscoveredPlugin): void {
  if (file !== undefined) return;
  try {
    findEntry(dir, entry, id);
  } catch (error) {
    const hint =
      entry !== undefined && /\s/.test(entry) ? '. It looks like a program line: did you mean "runtime": "stdio"?' : '';
    throw new Error(`${messageOf(error)}${hint}`, { cause: error });
  }
}

function componentProblems({ dir, file, manifest: { entry = '' } }: DiscoveredPlugin): string[] {
  const path = file ?? resolve(dir, entry);
  return isFile(path) ? [] : [`entry: names ${entry}, and ${path} does not exist`];
}

function checkProcess(plugin: DiscoveredPlugin): void {
  const { dir } = plugin;
  // Not native, so nothing is served by the host's own program.
  const [command, ...args] = programOf(plugin, { serveNativePath: '' });
  if (command === undefined) throw new Error('it names neither an executable nor an entry to run on this platform');
  const program = /[/\\]/.test(command) ? resolve(dir, command) : command;
  findProgram(program, dir);
  const script = args.find((arg) => !arg.startsWith('-'));
  if (script === undefined || !SCRIPT.test(script) || PACKAGE_RUNNERS.test(basename(command))) return;
  const path = resolve(dir, script);
  if (!isFile(path)) throw new Error(`it runs ${command} with ${script}, and ${path} does not exist`);
}

/** @throws Error that says what a start would say. */
function findProgram(command: string, dir: string): void {
  const path = process.env.PATH ?? process.env.Path;
  const folders =
    command.includes('/') || command.includes('\\') ? [dir] : (path ?? '').split(delimiter).filter(Boolean);
  const endings = process.platform === 'win32' ? ['', ...(process.env.PATHEXT ?? WINDOWS_ENDINGS).split(';')] : [''];
  let problem: unknown = Object.assign(new Error('not found'), { code: 'ENOENT' });
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = folder === dir ? resolve(command + ending) : join(folder, command + ending);
      if (!isFile(candidate)) continue;
      try {
        accessSync(candidate, constants.X_OK);
        return;
      } catch (error) {
        problem = error;
      }
    }
  }
  throw explainStartFailure(problem, { command, cwd: dir, path });
}

function thrownBy(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [messageOf(error)];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
