import { openHomeDir } from '@toolpost/host';
import { render } from 'ink';
import type { Conversation } from '../conversation.ts';
import { setJoinsEmoji } from '../terminal-text.ts';
import { App } from './app.tsx';
import { ChatClient } from './chat-client.ts';
import { createPromptCompleter } from './commands/complete-prompt.ts';
import { createTheme, type Theme } from './draw/theme.ts';
import { createFrameWidths, FrameWidthsContext } from './frame-widths.ts';
import { greetingText } from './greeting.ts';
import { openHistoryFile } from './input/history-file.ts';
import { createInputHistory } from './input/input-history.ts';
import { createPromptEditor } from './input/prompt-editor.ts';
import { askTerminal } from './terminal/ask-terminal.ts';
import { createKeyboard } from './terminal/keyboard.ts';
import { redrawOnResize, type ScreenSize, sizeOf } from './terminal/redraw-on-resize.ts';
import { takeStrayOutput } from './terminal/stray-output.ts';
import { createScrollback } from './transcript/scrollback.ts';

export interface TerminalChatOptions {
  readonly timeoutMs: number | undefined;
  /** Of the server, where the session is one's. */
  readonly address?: string;
}

/** Ctrl-C is a key here: a SIGINT was sent by somebody, and means the end. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Holds a conversation at the terminal of this process, until the person leaves. */
export async function chatAtTerminal(conversation: Conversation, options: TerminalChatOptions): Promise<void> {
  const { stdout } = process;
  const { timeoutMs } = options;
  const theme = createTheme(stdout.hasColors() ? stdout.getColorDepth() : 1);
  const greeting = await greet(conversation, options, theme);
  const client = new ChatClient({ conversation, timeoutMs, columns: () => sizeOf(stdout).columns });
  await client.open();
  const leave = () => client.leave();
  for (const signal of ENDING_SIGNALS) process.on(signal, leave);
  const screen = await drawScreen(client, { theme, greeting });
  try {
    await Promise.race([client.left, screen.failed]);
    screen.showEnd();
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, leave);
    await screen.close();
  }
}

async function greet(conversation: Conversation, { address }: TerminalChatOptions, theme: Theme): Promise<string> {
  const { length: toolCount } = await conversation.tools();
  return greetingText(conversation, { toolCount, address }, { theme, width: sizeOf(process.stdout).columns - 1 });
}

/** Draws the chat until it is closed; `failed` rejects when it cannot go on. */
async function drawScreen(client: ChatClient, { theme, greeting }: { theme: Theme; greeting: string }) {
  const { stdin, stdout } = process;
  // Before anything is drawn: to a terminal that still reads lines, Enter is another key, and it shows what is typed.
  stdin.setRawMode(true);
  const scrollback = createScrollback(greeting);
  const kept = openHistoryFile(await openHomeDir(process.env));
  const history = createInputHistory(kept.read(), kept.append);
  const editor = createPromptEditor({ history, complete: createPromptCompleter(client.conversation) });
  const frame = createFrameWidths();
  const keyboard = createKeyboard(stdin);
  const { screen, giveBack } = takeStrayOutput((text) => client.printed(text));
  const { hasKittyKeys, joinsEmoji } = await askTerminal(keyboard, screen);
  setJoinsEmoji(joinsEmoji);
  let isOver = false;
  const draw = (size: ScreenSize) => (
    <FrameWidthsContext value={frame}>
      <App {...{ client, editor, scrollback, theme, size, isOver, keyboard, screen }} />
    </FrameWidthsContext>
  );
  // Ours are the decisions what a terminal is and what Ctrl-C means.
  const ink = render(draw(sizeOf(stdout)), {
    ...{ stdin: keyboard, stdout: screen, exitOnCtrlC: false, incrementalRendering: true, interactive: true },
    patchConsole: false,
    kittyKeyboard: { mode: hasKittyKeys ? 'enabled' : 'disabled' },
  });
  const stopResize = redrawOnResize(screen, { ink, frame, draw });
  return {
    failed: ink.waitUntilExit(),
    /** Takes away what was there to work with. */
    showEnd() {
      isOver = true;
      ink.rerender(draw(sizeOf(stdout)));
    },
    async close() {
      giveBack();
      await ink.waitUntilRenderFlush();
      stopResize();
      ink.unmount();
      await ink.waitUntilExit();
      keyboard.close();
    },
  };
}
