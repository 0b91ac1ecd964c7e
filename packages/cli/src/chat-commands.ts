import type { Host } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import { plainText } from './terminal-text.ts';
import { toolColumns } from './tool-columns.ts';

/** What a line at the prompt of a chat was, when it was no prompt. */
export type ChatCommand = { readonly leaves: boolean; readonly says: string };

const HELP = `  /tools  list the tools that this session sees
  /exit   leave, as Ctrl-D does
  /help   this list
Anything else goes to the model. Ctrl-C cancels what it does; at the prompt, twice, it leaves.
`;

/** Runs a line that is one word with a slash before it, as none of a path's. Undefined for what goes to the model. */
export async function runChatCommand(line: string, host: Host, session: Session): Promise<ChatCommand | undefined> {
  const name = /^\/([a-z?-]*)$/i.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  if (name === 'exit' || name === 'quit') return { leaves: true, says: '' };
  if (name === 'help' || name === '?') return { leaves: false, says: HELP };
  if (name === 'tools') return { leaves: false, says: toolColumns((await host.listTools(session)).tools) };
  return { leaves: false, says: `There is no command ${plainText(line)}: /help lists those there are.\n` };
}
