import { openHomeDir } from '@toolpost/host';
import { render } from 'ink';
import type { Conversation } from '../conversation.ts';
import type { ToolRow } from '../tool-columns.ts';
import { App } from './app.tsx';
import { TerminalChat } from './chat-client.ts';
import { createPromptCompleter } from './commands/complete-prompt.ts';
import { runSlashCommand } from './commands/run-slash-command.ts';
import { createTheme } from './draw/theme.ts';
import { createFrameWidths, FrameWidthsContext } from './frame-widths.ts';
import { greetingText } from './greeting.ts';
import { openHistoryFile } from './input/history-file.ts';
import { createInputHistory } from './input/input-history.ts';
import { createPromptEditor } from './input/prompt-editor.ts';
import { redrawOnResize, type ScreenSize, sizeOf } from './redraw-on-resize.ts';
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
  const client: TerminalChat = new TerminalChat({ conversation, timeoutMs, runCommand });
  await client.showFormerTurns(SHOWN_TURNS);
  const greeting = greetingText(
    conversation,
    { toolCount: tools.length, address },
    { theme, width: sizeOf(stdout).columns - 1 },
  );
  const scrollback = createScrollback(greeting);
  const kept = openHistoryFile(await openHomeDir(process.env));
  const history = createInputHistory(kept.read(), kept.append);
  const editor = createPromptEditor({ history, complete: createPromptCompleter(conversation) });
  async function runCommand(text: string, _client: TerminalChat, abortSignal: AbortSignal) {
    const outcome = await runSlashCommand(text, { conversation, width: stdout.columns - 1, abortSignal });
    if (outcome?.kind === 'switched') {
      client.transcript.reset();
      scrollback.restart();
      await client.showFormerTurns(SHOWN_TURNS);
    }
    if (outcome && outcome.kind !== 'leave') client.say(outcome.text);
    return outcome && { leaves: outcome.kind === 'leave' };
  }
  const frame = createFrameWidths();
  const draw = (size: ScreenSize) => (
    <FrameWidthsContext value={frame}>
      <App {...{ client, editor, scrollback, theme, size }} plugins={pluginHealth(tools)} />
    </FrameWidthsContext>
  );
  const ink = render(draw(sizeOf(stdout)), {
    exitOnCtrlC: false,
    patchConsole: true,
    incrementalRendering: true,
    interactive: true,
    maxFps: 30,
  });
  const stopResize = redrawOnResize(stdout, { ink, frame, draw });
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
    stopResize();
  }
}

const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP'] as const;

function pluginHealth(tools: readonly ToolRow[]) {
  const plugins = new Set(tools.map(({ plugin }) => plugin));
  const failing = new Set(
    tools.filter(({ description }) => description.startsWith('(broken)')).map(({ plugin }) => plugin),
  );
  return { count: plugins.size, failing: [...failing] };
}
