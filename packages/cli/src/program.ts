import { HOST_VERSION } from '@toolpost/host';
import { Command, Help, type Option } from 'commander';
import { COMMANDS } from './command-table.ts';
import { printNow } from './print.ts';
import { plainText } from './terminal-text.ts';

/**
 * The command line for these arguments. Setting up a command costs as much as running a small one, so only the one that
 * is named is set up; help and mistakes see all.
 */
export function createProgram(argv: readonly string[], setStatus: (status: number) => void): Command {
  const program = new Command('toolpost')
    .description('A tool host for AI agents: write a tool once, call it from every agent.')
    .version(HOST_VERSION, '--version', 'print the version')
    .addHelpText('after', '\nStart with:\n  toolpost chat\n  toolpost tools\n  toolpost call hello name=Bob');
  const named = COMMANDS[argv[0] ?? ''];
  for (const add of named ? [named] : Object.values(COMMANDS)) add(program, setStatus);
  finish(program);
  return program;
}

/** That a flag is off, or a list empty, unless it is given goes without saying. */
function withoutPlainDefaults(option: Option): string {
  const isPlain =
    option.defaultValue === false || (Array.isArray(option.defaultValue) && option.defaultValue.length === 0);
  return isPlain ? option.description : new Help().optionDescription(option);
}

/** Subcommands do not inherit what was set on the program before they were made. */
function finish(command: Command): void {
  command.configureHelp({ optionDescription: withoutPlainDefaults });
  command.exitOverride().configureOutput({
    writeOut: printNow,
    outputError: (text, write) =>
      write(
        `${plainText(text)
          .trim()
          .replace(/^error: /, 'toolpost: ')
          .replaceAll('\n', ' ')} (see ${pathOf(command)} --help)\n`,
      ),
  });
  command.commands.forEach(finish);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
