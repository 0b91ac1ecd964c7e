import type { Conversation } from '../../conversation.ts';
import type { Completer, Suggestion, Suggestions } from '../input/completer.ts';
import { findCommand } from './run-slash-command.ts';
import { SLASH_COMMANDS } from './slash-commands.ts';

const MAX_FILES = 20;
const MAX_SUGGESTIONS = 50;
/** The first word of a line, and it alone. */
const COMMAND_NAME = /^\/([a-z-]*)$/i;
const COMMAND_ARGUMENT = /^\/([a-z-]+) +(\S*)$/i;
/** An `@` behind a blank; in quotes where the name has blanks. */
const FILE = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/;

const NO_FILES = 'the files are on the machine of the server: their names are not completed here';

/** Completes commands, their arguments, and behind an `@` the files of the session. */
export function createPromptCompleter(conversation: Conversation): Completer {
  let searching = new AbortController();
  return async (before) => {
    searching.abort();
    searching = new AbortController();
    const [, name] = COMMAND_NAME.exec(before) ?? [];
    if (name !== undefined) return namesFor(name);
    const [, command = '', typed] = COMMAND_ARGUMENT.exec(before) ?? [];
    if (typed !== undefined) return argumentsFor(command, typed, conversation);
    const found = FILE.exec(before);
    const part = found?.[1] ?? found?.[2];
    return part === undefined ? undefined : filesFor(part, found?.[1] !== undefined, { conversation, searching });
  };
}

function namesFor(typed: string): Suggestions {
  const items = SLASH_COMMANDS.map(({ name, argument, about }): Suggestion => {
    const needsMore = argument !== undefined && !argument.startsWith('[');
    const text = `/${name}`;
    const shown = argument === undefined ? about : `${argument}  ${about}`;
    return needsMore ? { text, about: shown, follows: 'word' } : { text, about: shown };
  });
  return { typed: `/${typed}`, items: matching(items, `/${typed}`), isCommand: true };
}

async function argumentsFor(
  command: string,
  typed: string,
  conversation: Conversation,
): Promise<Suggestions | undefined> {
  const items = await findCommand(command)?.suggest?.(conversation);
  return items && { typed, items: matching(items, typed), isCommand: true };
}

async function filesFor(
  part: string,
  isQuoted: boolean,
  { conversation, searching }: { conversation: Conversation; searching: AbortController },
): Promise<Suggestions> {
  const typed = isQuoted ? `@"${part}` : `@${part}`;
  if (!conversation.findFiles) return { typed, items: [], note: NO_FILES, isCommand: false };
  const options = { limit: MAX_FILES, abortSignal: searching.signal };
  const files = await conversation.findFiles(part, options);
  const items = files.map((path): Suggestion => ({ text: /\s/.test(path) || isQuoted ? `@"${path}"` : `@${path}` }));
  return { typed, items, isCommand: false };
}

/** Those that begin with what was typed, whatever its case, then those that hold it. */
function matching(items: readonly Suggestion[], typed: string): Suggestion[] {
  const wanted = typed.toLowerCase();
  const places = items.map((item) => ({ item, at: item.text.toLowerCase().indexOf(wanted) }));
  const found = places.filter(({ at }) => at >= 0).sort((one, other) => Math.sign(one.at) - Math.sign(other.at));
  return found.slice(0, MAX_SUGGESTIONS).map(({ item }) => item);
}
