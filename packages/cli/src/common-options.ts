import { parseDuration } from '@toolpost/protocol';
import { type Command, InvalidArgumentError } from 'commander';

/** The flags of every command that loads plugins (design section 6). */
export interface CommonOptions {
  readonly plugins?: string[];
  /** False with `--no-bundled`. */
  readonly bundled: boolean;
  readonly root?: string[];
  readonly channel: string;
  readonly chat?: string;
  readonly tenant?: string;
  readonly user?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly config?: string;
  readonly allow?: string[];
  readonly yes: boolean;
}

export function addCommonOptions(command: Command, channel = 'cli'): Command {
  return command
    .option('--plugins <dir>', 'a folder of plugin folders, or one plugin folder (repeatable)', collect)
    .option('--no-bundled', 'leave out the bundled example plugins')
    .option('--root <dir>', 'a directory that tools may work in (repeatable; default: the current one)', collect)
    .option('--channel <name>', 'the channel of the session', channel)
    .option('--chat <id>', "the session's chat id (default: the session's own id)")
    .option('--tenant <id>', 'whom the session belongs to')
    .option('--user <id>', 'who is asking')
    .option('--timeout <duration>', 'shorten the time limit of calls, e.g. 500ms, 30s, 1m30s', duration)
    .option('--config <file>', "use this file in place of the home directory's config.json")
    .option('--allow <rule>', "allow calls without asking, e.g. 'bash(npm test)' (repeatable)", collect, [])
    .option('--yes', 'answer every question with yes; a deny rule still denies', false);
}

export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

export function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError(`"${text}" is not a port: give a number from 1 to 65535, or 0 for any that is free.`);
}

export function duration(text: string): number {
  try {
    const ms = parseDuration(text);
    if (ms > 0) return ms;
  } catch {
    // said below, in the words of the command line
  }
  throw new InvalidArgumentError(`"${text}" is not a duration: write it like 500ms, 30s or 1m30s.`);
}
