import { statSync } from 'node:fs';
import { win32 } from 'node:path';

const DEFAULT_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';
const CMD_META = /[()\][%!^"`<>&|;, *?]/g;

export interface WindowsProgram {
  command: string;
  args: string[];
  /** The arguments are quoted already; Node must pass them on as they are. */
  isVerbatim: boolean;
}

export interface WindowsLookup {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  isFile?: (path: string) => boolean;
}

/**
 * Finds a program as a Windows shell does, by PATH and PATHEXT. Batch files (`npx.cmd`) run only through cmd.exe, so
 * their arguments are quoted for it, twice: the file itself passes them through cmd.exe again.
 */
export function resolveWindowsProgram(lookup: WindowsLookup): WindowsProgram {
  const { command, args, env } = lookup;
  const found = findProgram(lookup) ?? command;
  if (!/\.(?:bat|cmd)$/i.test(found)) return { command: found, args: [...args], isVerbatim: false };
  const quoted = args.map((arg) => escapeMeta(escapeMeta(quoteArgument(arg))));
  const line = [escapeMeta(win32.normalize(found)), ...quoted].join(' ');
  return { command: variable(env, 'COMSPEC') ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

function findProgram({ command, cwd, env, isFile = isFileOnDisk }: WindowsLookup): string | undefined {
  const folders = /[/\\]/.test(command) ? [cwd] : (variable(env, 'PATH') ?? '').split(';').filter(Boolean);
  const extensions = (variable(env, 'PATHEXT') ?? DEFAULT_EXTENSIONS).split(';').filter(Boolean);
  const endings = win32.extname(command) === '' ? extensions : ['', ...extensions];
  for (const folder of folders) {
    for (const ending of endings) {
      const path = win32.resolve(folder, command + ending);
      if (isFile(path)) return path;
    }
  }
  return undefined;
}

/** By the rules of CommandLineToArgvW: backslashes double only before a quote. */
function quoteArgument(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

function escapeMeta(text: string): string {
  return text.replace(CMD_META, '^$&');
}

function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

function isFileOnDisk(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
