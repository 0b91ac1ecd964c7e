import { type Command, InvalidArgumentError, Option } from 'commander';

type SetStatus = (status: number) => void;
const load = () => import('./commands/sessions.ts');

/** `toolpost sessions ...` */
export function addSessionCommands(sessions: Command, setStatus: SetStatus): void {
  sessions
    .command('list', { isDefault: true })
    .summary('the sessions that are kept, newest first')
    .description('Lists the sessions that are kept, newest first.')
    .option('--json', 'print one JSON object', false)
    .option('--limit <number>', 'at most so many', count, 50)
    .option('--tenant <id>', 'only those of this tenant')
    .option('--user <id>', 'only those of this user')
    .option('--channel <name>', 'only those of this channel')
    .addHelpText('after', '\nExample:\n  toolpost sessions list --limit 5')
    .action(async (options) => setStatus(await (await load()).sessionsList(options)));
  sessions
    .command('show <id>')
    .summary('what was said and done in a session')
    .description('Shows a session as it was seen when it happened. The beginning of an id is enough.')
    .option('--json', 'print what it is as one JSON object, without its events', false)
    .action(async (id, options) => setStatus(await (await load()).sessionsShow(id, options)));
  sessions
    .command('export <id>')
    .summary('a session as a document')
    .description('Writes a session to standard output: as a Markdown document, or as one JSON object with every event.')
    .addOption(new Option('--format <format>', 'markdown or json').choices(['markdown', 'json']).default('markdown'))
    .addHelpText('after', '\nExample:\n  toolpost sessions export 0193c1a2 --format json > session.json')
    .action(async (id, options) => setStatus(await (await load()).sessionsExport(id, options)));
  sessions
    .command('delete <ids...>')
    .summary('delete sessions')
    .description('Deletes sessions with everything that was kept of them.')
    .action(async (ids) => setStatus(await (await load()).sessionsDelete(ids)));
  sessions
    .command('rename <id> <title>')
    .summary('give a session another title')
    .description('Gives a session another title.')
    .action(async (id, title) => setStatus(await (await load()).sessionsRename(id, title)));
  sessions
    .command('fork <id>')
    .summary('make a copy that goes on by itself')
    .description('Makes a copy of a session that goes on by itself, and prints its id: toolpost chat --resume ID.')
    .action(async (id) => setStatus(await (await load()).sessionsFork(id)));
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
