import { render } from 'ink';
import { runChatCommand } from '../chat-commands.ts';
import type { Conversation } from '../conversation.ts';
import type { ToolRow } from '../tool-columns.ts';
import { App } from './app.tsx';
import { TerminalChat } from './chat-client.ts';
import { createTheme } from './draw/theme.ts';
import { greetingText } from './greeting.ts';
import { createInputHistory } from './input/input-history.ts';
import { createPromptEditor } from './input/prompt-editor.ts';
import { reflowOnResize } from './reflow-on-resize.ts';
import { createScrollback } from './transcript/scrollback.ts';

export interface TerminalChatOptions {
  readonly timeoutMs: number | undefined;
  /** Of the server, where the session is one's. */
  readonly address?: string;
}

/** Turns of a conversation that is gone on with, as they are shown again. */
const SHOWN_TURNS = 10;

/** Holds a conversation at the terminal of this process, until the person leaves. */
export async function chatAtTerminal(
  conversation: Conversation,
  { timeoutMs, address }: TerminalChatOptions,
): Promise<void> {
  const { stdout } = process;
  const theme = createTheme(stdout.hasColors() ? stdout.getColorDepth() : 1);
  const tools = await conversation.tools();
  const client = new TerminalChat({ conversation, timeoutMs, runCommand });
  await client.showFormerTurns(SHOWN_TURNS);
  const greeting = greetingText(
    conversation,
    { toolCount: tools.length, address },
    { theme, width: stdout.columns - 1 },
  );
  const scrollback = createScrollback(greeting);
  const editor = createPromptEditor({ history: createInputHistory([]), complete: async () => undefined });
  const stopReflow = reflowOnResize(stdout);
  const ink = render(<App {...{ client, editor, scrollback, theme }} plugins={pluginHealth(tools)} />, {
    exitOnCtrlC: false,
    patchConsole: true,
    incrementalRendering: true,
    interactive: true,
    maxFps: 30,
  });
  const leave = () => client.leave();
  for (const signal of ENDING_SIGNALS) process.on(signal, leave);
  try {
    client.joinRunning();
    await Promise.race([client.left, ink.waitUntilExit()]);
    await ink.waitUntilRenderFlush();
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, leave);
    ink.unmount();
    await ink.waitUntilExit();
    stopReflow();
  }
}

const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

async function runCommand(text: string, client: TerminalChat, abortSignal: AbortSignal) {
  const command = await runChatCommand(text, client.conversation, abortSignal);
  if (command && !command.leaves) client.say(command.says);
  return command;
}

function pluginHealth(tools: readonly ToolRow[]) {
  const plugins = new Set(tools.map(({ plugin }) => plugin));
  const failing = new Set(
    tools.filter(({ description }) => description.startsWith('(broken)')).map(({ plugin }) => plugin),
  );
  return { count: plugins.size, failing: [...failing] };
}
