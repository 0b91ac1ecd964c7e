import type { HostCore } from '../host-core.ts';
import type { HostOptions } from '../host-options.ts';

/**
 * One line about a plugin that does not work, where the person is whose call needs it: its state and all of the reason
 * are in `plugins list`, which nobody looks at unasked.
 */
export function warnOfBroken({ options, warn }: HostCore, name: string, reason: string): void {
  if (options.warnsOfBroken === false) return;
  warn(brokenText(name, reason, options));
}

type Flags = Pick<HostOptions, 'pluginDirs' | 'configFile'>;

/** What is told of a plugin that does not work. The flags are those of the command that lists it. */
export function brokenText(name: string, reason: string, flags: Flags): string {
  const prefix = `${name}: `;
  const lines = (reason.startsWith(prefix) ? reason.slice(prefix.length) : reason).split('\n');
  return `plugin ${name} does not work: ${lines[0]}${lastWords(lines)} (\`${listCommand(flags)}\` tells more)`;
}

const STDERR = /Its last lines on stderr:$/;
const INDENTED = /^ {2}/;

/** A process that ends says why in the last line on its standard error; Python says where some lines above it. */
function lastWords(lines: readonly string[]): string {
  const start = lines.findIndex((line) => STDERR.test(line)) + 1;
  const after = start === 0 ? [] : lines.slice(start);
  const end = after.findIndex((line) => !INDENTED.test(line));
  const quoted = end < 0 ? after : after.slice(0, end);
  const last = quoted.at(-1)?.trim();
  if (last === undefined) return '';
  const places = quoted.flatMap((line) => {
    const [, file, number] = /^ *File "(.+)", line (\d+)/.exec(line) ?? [];
    return file === undefined ? [] : [`${file}:${number}`];
  });
  const own = places.findLast((place) => !/[\\/]toolpost\.py:\d+$/.test(place));
  return ` ${own === undefined ? '' : `${own}: `}${last}`;
}

function listCommand({ pluginDirs = [], configFile }: Flags): string {
  const given = [
    ...pluginDirs.flatMap((dir) => ['--plugins', dir]),
    ...(configFile === undefined ? [] : ['--config', configFile]),
  ];
  return ['toolpost plugins list', ...given.map(shellWord)].join(' ');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
