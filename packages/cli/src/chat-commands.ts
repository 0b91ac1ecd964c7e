import type { Conversation } from './conversation.ts';
import { sessionColumns } from './session-columns.ts';
import { plainText } from './terminal-text.ts';
import { toolColumns } from './tool-columns.ts';

/** What a line at the prompt of a chat was, when it was no prompt. */
export type ChatCommand = { readonly leaves: boolean; readonly says: string };

const SHOWN_SESSIONS = 10;
const HELP = `  /tools     list the tools that this session sees
  /clear     forget the conversation, so that the model starts anew
  /compact   put a summary in place of the conversation, so that the model has room again
  /sessions  list the latest sessions
  /exit      leave, as Ctrl-D does
  /help      this list
Anything else goes to the model. Ctrl-C cancels what it does; at the prompt, twice, it leaves.
`;

/** Runs a line that is one word with a slash before it, as none of a path's. Undefined for what goes to the model. */
export async function runChatCommand(
  line: string,
  conversation: Conversation,
  abortSignal: AbortSignal,
): Promise<ChatCommand | undefined> {
  const name = /^\/([a-z?-]*)$/i.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'exit' || name === 'quit') return { leaves: true, says: '' };
  return { leaves: false, says: await answerTo(name, line, { conversation, abortSignal }) };
}

async function answerTo(
  name: string,
  line: string,
  { conversation, abortSignal }: { conversation: Conversation; abortSignal: AbortSignal },
): Promise<string> {
  switch (name) {
    case 'help':
    case '?':
      return HELP;
    case 'tools':
      return toolColumns(await conversation.tools());
    case 'clear':
      await conversation.clear();
      return 'The model no longer knows what was said.\n';
    case 'compact': {
      const whyNot = await conversation.compact(abortSignal);
      return whyNot === undefined
        ? 'The model goes on from a summary.\n'
        : `The conversation stays as it is: ${plainText(whyNot)}\n`;
    }
    case 'sessions':
      return `${sessionColumns(await conversation.latest(SHOWN_SESSIONS))}Go on with one: ${conversation.resumeCommand} ID\n`;
    default:
      return `There is no command ${plainText(line)}: /help lists those there are.\n`;
  }
}
