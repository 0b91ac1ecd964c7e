import { suggestNames } from '@toolpost/host';
import { plainText } from '../../terminal-text.ts';
import { type CommandOutcome, type CommandScene, type SlashCommand, said } from './slash-command.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

/** One line that begins with a slash and a word. A path has a further slash, and is no command. */
const COMMAND = /^\/(\?|[a-z][a-z-]*)?(?:[ \t]+(\S.*))?$/i;

/**
 * Runs a line that is a command. Undefined for what goes to the model: also for words that only look like one, unless they
 * are near one, and could be a slip.
 */
export async function runSlashCommand(line: string, scene: CommandScene): Promise<CommandOutcome | undefined> {
  const [isCommand, name = '', argument = ''] = COMMAND.exec(line) ?? [];
  if (isCommand === undefined) return undefined;
  const command = findCommand(name);
  if (command) return run(command, argument.trim(), scene);
  const near = suggestNames(
    name.toLowerCase(),
    SLASH_COMMANDS.map((one) => one.name),
  );
  if (argument !== '' && near.length === 0) return undefined;
  const hint =
    near.length === 0 ? '/help lists those there are' : `did you mean ${near.map((one) => `/${one}`).join(' or ')}?`;
  return said(`There is no command /${plainText(name)}: ${hint}`);
}

export function findCommand(name: string): SlashCommand | undefined {
  const folded = name.toLowerCase();
  return SLASH_COMMANDS.find((command) => command.name === folded || command.alias === folded);
}

async function run(command: SlashCommand, given: string, scene: CommandScene): Promise<CommandOutcome> {
  const { name, argument } = command;
  if (argument === undefined && given !== '') return said(`/${name} takes nothing behind it.`);
  if (argument !== undefined && !argument.startsWith('[') && given === '')
    return said(`/${name} needs ${argument}: /${name} ${argument}`);
  return command.run(given, scene);
}
