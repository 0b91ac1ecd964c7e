import { Box, Static, Text, useApp, useInput } from 'ink';
import { type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { ChatClient } from './chat-client.ts';
import type { CallPage } from './draw/call.ts';
import { SPINNER_MS } from './draw/call-state.ts';
import type { Line } from './draw/line.ts';
import { liveRows } from './draw/live-rows.ts';
import { statusLine } from './draw/status-bar.ts';
import type { Theme } from './draw/theme.ts';
import { workingLine } from './draw/working-line.ts';
import { farewellLines } from './farewell.ts';
import { keysOf } from './input/keys.ts';
import type { PromptAct, PromptEditor } from './input/prompt-editor.ts';
import { PromptInput } from './input/prompt-input.tsx';
import { Rows } from './input/rows.tsx';
import { showPager } from './pager/show-pager.ts';
import { QuestionPanel } from './questions/question-panel.tsx';
import { planScreen, type ScreenPlan } from './screen-plan.ts';
import type { Keyboard } from './terminal/keyboard.ts';
import type { ScreenSize } from './terminal/redraw-on-resize.ts';
import { stopProcess } from './terminal/stop-process.ts';
import type { Scrollback } from './transcript/scrollback.ts';

export interface AppProps {
  readonly client: ChatClient;
  readonly editor: PromptEditor;
  readonly scrollback: Scrollback;
  readonly theme: Theme;
  readonly size: ScreenSize;
  /** What others read from and write to, while this is not shown. */
  readonly keyboard: Keyboard;
  readonly screen: NodeJS.WriteStream;
  /** The person has left: what stays on the screen is what was said, and how to go on. */
  readonly isOver: boolean;
}

/** The whole client: what has ended goes to the scrollback once, the rest is drawn anew with each frame. */
export function App(props: AppProps): ReactNode {
  const { client, editor, theme, scrollback, size, isOver } = props;
  useSyncExternalStore(client.subscribe, () => client.frame);
  useSyncExternalStore(editor.subscribe, () => editor.view);
  const isAway = useOtherScreens(props);
  const now = useSpinner(client.state.isBusy && !isAway);
  const { pageUrl } = client.conversation;
  const page = { theme, width: size.columns - 1, now, isExpanded: false, outputRows: 0, pageUrl };
  // While another screen is shown nothing is printed: what Ink draws there is lost.
  if (!isAway) scrollback.advance(client.transcript.entries, page);
  return (
    <>
      <Static items={scrollback.printed as PrintedItems}>{(item) => <Text key={item.key}>{item.text}</Text>}</Static>
      {isOver ? <Rows lines={lastRows(props, page)} /> : <LivePart {...props} page={page} />}
    </>
  );
}

type PrintedItems = { key: number; text: string }[];

/** What stays when the person has left. */
function lastRows({ client, scrollback, size }: AppProps, page: CallPage): Line[] {
  const live = liveRows(scrollback, client.transcript.entries, { ...page, rows: size.rows });
  return [...live, ...farewellLines(client, page)];
}

function LivePart(props: AppProps & { readonly page: CallPage }): ReactNode {
  const { client, editor, theme, scrollback, size, page } = props;
  const { columns, rows } = size;
  const prompt = editor.view;
  const { entries, turnStartedAt } = client.transcript;
  const { question, takesKeys } = client.questions.view;
  const isAsking = question !== undefined;
  const plan = planScreen({ rows, columns, prompt, queued: client.state.queued.length, isAsking });
  const hasPrompt = !takesKeys || prompt.text.cells.length > 0;
  return (
    <>
      <Rows lines={liveRows(scrollback, entries, { ...page, rows: plan.live })} />
      {isAsking ? undefined : <Box height={1} />}
      {turnStartedAt !== undefined && !isAsking ? (
        <Rows lines={[workingLine(entries, turnStartedAt, page)]} />
      ) : undefined}
      <QuestionPanel
        desk={client.questions}
        theme={theme}
        columns={page.width}
        maxRows={plan.question}
        onInterrupt={() => client.cancel()}
      />
      {hasPrompt ? <Prompt {...props} columns={columns} plan={plan} isActive={!takesKeys} /> : undefined}
      <Rows lines={[statusLine(statusOf(props), page)]} />
    </>
  );
}

interface PromptProps extends AppProps {
  readonly columns: number;
  readonly plan: ScreenPlan;
  readonly isActive: boolean;
}

function Prompt({ client, editor, theme, columns, plan, isActive }: PromptProps): ReactNode {
  const onAct = (act: PromptAct) => {
    if (act.kind === 'send') client.send(act.text);
    else if (act.kind === 'interrupt') client.interrupt();
    else if (act.kind === 'escape') client.cancel();
    else client.leave();
  };
  const hint = hintOf(client.state);
  return (
    <PromptInput
      {...{ editor, theme, columns, isActive, hint, onAct }}
      maxRows={plan.prompt}
      queued={client.state.queued.slice(0, plan.queued)}
      onKey={client.questions.keyPressed}
    />
  );
}

/** What stands where nothing is written. */
function hintOf({ isLeaving, isBusy }: ChatClient['state']): string {
  if (isLeaving) return 'press Ctrl-C again, or Ctrl-D, to leave';
  return isBusy ? 'write ahead: it is sent when this is done' : 'ask for something, or / for commands';
}

function statusOf({ client: { state, conversation } }: AppProps) {
  const { id: sessionId, model } = conversation;
  return { ...state, sessionId, model, hint: 'ctrl-o shows everything' };
}

/** The time, ten times a second and more, while there is something that moves by it. */
function useSpinner(isMoving: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SPINNER_MS);
    return () => clearInterval(timer);
  }, [isMoving]);
  return now;
}

/** Ctrl-O hands the terminal to the pager, until it is closed; Ctrl-Z to the shell, until it gives it back. */
function useOtherScreens({ client, theme, keyboard, screen }: AppProps): boolean {
  const [isAway, setIsAway] = useState(false);
  const { suspendTerminal } = useApp();
  const handOver = useCallback(
    async (show: () => Promise<void>) => {
      setIsAway(true);
      try {
        await suspendTerminal(show);
      } finally {
        setIsAway(false);
      }
    },
    [suspendTerminal],
  );
  useEffect(() => {
    if (isAway) return undefined;
    // Somebody else stops this process: the terminal is to be left as for Ctrl-Z.
    const onStop = () => void handOver(stopProcess);
    process.on('SIGTSTP', onStop);
    return () => void process.off('SIGTSTP', onStop);
  }, [isAway, handOver]);
  useInput((input, key) => {
    if (isAway) return;
    const pressed = keysOf(input, key).filter(({ hasCtrl }) => hasCtrl);
    const isPressed = (letter: string) => pressed.some(({ name }) => name === letter);
    if (isPressed('o')) void handOver(() => showPager({ client, theme, keyboard, screen }));
    else if (isPressed('z') && process.platform !== 'win32') void handOver(stopProcess);
  });
  return isAway;
}
