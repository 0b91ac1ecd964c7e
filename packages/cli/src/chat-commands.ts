import type { LiveSession } from '@toolpost/host';
import { sessionColumns } from './session-columns.ts';
import { plainText } from './terminal-text.ts';
import { toolColumns } from './tool-columns.ts';
import type { OpenedSession } from './with-session.ts';

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
  opened: OpenedSession,
  abortSignal: AbortSignal,
): Promise<ChatCommand | undefined> {
  const name = /^\/([a-z?-]*)$/i.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'exit' || name === 'quit') return { leaves: true, says: '' };
  return { leaves: false, says: await answerTo(name, line, { opened, abortSignal }) };
}

async function answerTo(
  name: string,
  line: string,
  { opened: { host, live, session }, abortSignal }: { opened: OpenedSession; abortSignal: AbortSignal },
): Promise<string> {
  switch (name) {
    case 'help':
    case '?':
      return HELP;
    case 'tools':
      return toolColumns((await host.listTools(session.session)).tools);
    case 'clear':
      await session.clear();
      return 'The model no longer knows what was said.\n';
    case 'compact':
      return (await session.compact({ abortSignal }))
        ? 'The model goes on from a summary.\n'
        : `The conversation stays as it is: ${lastWarning(session)}\n`;
    case 'sessions':
      return `${sessionColumns(live.list({ limit: SHOWN_SESSIONS }))}Go on with one: toolpost chat --resume ID\n`;
    default:
      return `There is no command ${plainText(line)}: /help lists those there are.\n`;
  }
}

function lastWarning(session: LiveSession): string {
  const last = session.events({ afterSeq: session.lastSeq - 1 }).at(-1);
  return last?.type === 'warning' ? plainText(last.message) : 'no summary came of it.';
}
