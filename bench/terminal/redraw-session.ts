import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolpostEvent } from '@toolpost/protocol';
import { render } from 'ink';
import { createElement } from 'react';
import type { Conversation, ConversationTurn } from '../../packages/cli/src/conversation.ts';
import { App } from '../../packages/cli/src/terminal-client/app.tsx';
import { ChatClient } from '../../packages/cli/src/terminal-client/chat-client.ts';
import { createTheme } from '../../packages/cli/src/terminal-client/draw/theme.ts';
import { createInputHistory } from '../../packages/cli/src/terminal-client/input/input-history.ts';
import { createPromptEditor } from '../../packages/cli/src/terminal-client/input/prompt-editor.ts';
import { createKeyboard } from '../../packages/cli/src/terminal-client/terminal/keyboard.ts';
import { createScrollback } from '../../packages/cli/src/terminal-client/transcript/scrollback.ts';
import type { RedrawnSession } from './redrawn-session.ts';
import { sessionEvents } from './session-events.ts';

const SIZE = { columns: 120, rows: 40 };
/** The client draws a frame at most so often: what comes sooner would be measured as waiting. */
const FRAME_MS = 40;

/** The client of the terminal, on a session of so many events, in which a turn streams. */
export async function openRedrawnSession(count: number): Promise<RedrawnSession> {
  const events = sessionEvents();
  const former = Array.from({ length: count }, () => events.next().value);
  const { conversation, turn } = scriptedConversation(former);
  const client = new ChatClient({ conversation, timeoutMs: undefined, columns: () => SIZE.columns });
  const startedAt = performance.now();
  await client.open();
  const { drawn, close } = drawClient(client);
  await drawn();
  const openedMs = performance.now() - startedAt;
  client.send('go on');
  const { onEvent } = await turn;
  return {
    openedMs,
    async redraw() {
      await sleep(FRAME_MS);
      const frame = drawn();
      const before = process.threadCpuUsage();
      const from = performance.now();
      onEvent(events.next().value);
      await frame;
      const ms = performance.now() - from;
      const { user, system } = process.threadCpuUsage(before);
      return { ms, processorMs: (user + system) / 1000 };
    },
    close,
  };
}

/** On a terminal that takes everything at once. */
function drawClient(client: ChatClient) {
  let onDrawn = () => {};
  const stdout = Object.assign(new Writable({ write: (_data, _encoding, done) => done() }), { ...SIZE, isTTY: true });
  const stdin = Object.assign(process.stdin, {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const editor = createPromptEditor({ history: createInputHistory([]), complete: async () => undefined });
  const shown = { client, editor, scrollback: createScrollback('bench'), theme: createTheme(24), size: SIZE };
  const keyboard = createKeyboard(stdin);
  const props = { ...shown, keyboard, screen: stdout, isOver: false };
  const ink = render(createElement(App, props), {
    ...{ stdout, stdin: keyboard, interactive: true, incrementalRendering: true },
    ...{ patchConsole: false, exitOnCtrlC: false },
    // Its own pacing is no part of a redraw.
    maxFps: 0,
    onRender: () => onDrawn(),
  });
  const drawn = () =>
    new Promise<void>((resolve) => {
      onDrawn = resolve;
    });
  const close = () => {
    ink.unmount();
    keyboard.close();
  };
  return { drawn, close };
}

function scriptedConversation(former: readonly ToolpostEvent[]) {
  const { promise: turn, resolve } = Promise.withResolvers<ConversationTurn>();
  const unused = () => Promise.reject(new Error('no part of this bench'));
  const conversation: Conversation = {
    ...{ id: 'bench', model: 'demo', roots: [], resumeCommand: '', tools: async () => [], plugins: async () => [] },
    ...{ why: unused, providers: unused, setModel: unused, findFiles: unused, startNew: unused, switchTo: unused },
    ...{ fork: unused, rename: unused, latest: unused, clear: unused, compact: unused, sendUiAction: unused },
    formerTurns: async () => ({ id: 'bench', before: 0, events: former }),
    joinRunning: async () => undefined,
    turn: (_text, options) => {
      resolve(options);
      return new Promise(() => {});
    },
  };
  return { conversation, turn };
}
