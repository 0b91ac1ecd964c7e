import { createInterface, type Interface } from 'node:readline';
import { createTerminalApprover } from '../ask-approval.ts';
import { createTerminalAsk } from '../ask-form.ts';
import { askTrust } from '../ask-trust.ts';
import { runChatCommand } from '../chat-commands.ts';
import type { Conversation, ConversationTurn, EndedTurn } from '../conversation.ts';
import { watchPromptInterrupts } from '../leave-on-second.ts';
import { localConversation } from '../local-conversation.ts';
import { cancellable as cancellableBySignals } from '../on-signals.ts';
import { printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { createLogRenderer } from '../shown-log.ts';
import { createTerminalQuestions, type TerminalQuestions } from '../terminal-questions.ts';
import { styleOf } from '../terminal-style.ts';
import { plainText } from '../terminal-text.ts';
import { usageLine } from '../usage-line.ts';
import { type SessionOptions, withSession } from '../with-session.ts';
import { run } from './run.ts';

/** Turns of a conversation that is gone on with, as they are shown again. */
const SHOWN_TURNS = 10;

export interface ChatOptions extends SessionOptions {
  readonly prompt?: string;
  /** The address of a server whose session it is. */
  readonly connect?: string;
}

/** `toolpost chat`: one prompt a line, until the input ends. */
export async function chat(options: ChatOptions): Promise<number> {
  if (options.connect !== undefined) return chatWithServer(options.connect, options);
  if (options.prompt !== undefined) return run(options.prompt, options);
  const isTerminal = isAtTerminal();
  if (isTerminal) await askTrust(options.root ?? [process.cwd()]);
  return withSession(options, async (opened) => {
    await opened.session.checkModel();
    const conversation = localConversation(opened);
    if (isTerminal) await greet(conversation);
    return talk({ conversation, isTerminal, timeoutMs: options.timeout });
  });
}

/** The same with a session of a server. Its part is loaded when it is wanted. */
async function chatWithServer(address: string, options: ChatOptions): Promise<number> {
  const { withRemote } = await import('../connect/with-remote.ts');
  const { prompt, timeout: timeoutMs } = options;
  return withRemote(address, options, async (conversation, { url }) => {
    if (prompt !== undefined)
      return cancellableBySignals(async (abortSignal) => {
        const reason = await showTurn((turn) => conversation.turn(prompt, turn), {
          questions: undefined,
          timeoutMs,
          abortSignal,
        });
        return reason === 'completed' ? 0 : 1;
      });
    const isTerminal = isAtTerminal();
    if (isTerminal) {
      printNow(`Connected to ${plainText(url)}.\n`);
      await greet(conversation);
    }
    return talk({ conversation, isTerminal, timeoutMs });
  });
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

async function greet(conversation: Conversation): Promise<void> {
  const { model, roots } = conversation;
  const tools = await conversation.tools();
  await showFormerTurns(conversation);
  const where = roots.length > 0 ? `in ${roots.join(', ')}` : 'without a directory';
  printNow(plainText(`Toolpost, model ${model}, ${tools.length} tools, ${where}.\n`));
  printNow('/help lists commands. Ctrl-D leaves, or Ctrl-C twice.\n');
  if (model !== 'demo') return;
  printNow(
    'The demo model only matches words: try "greet Bob" or "what is the weather in Oslo". For a real one:\n' +
      '  OPENAI_API_KEY=... toolpost chat --model openai:gpt-5, or anthropic:NAME, or openai-compatible:NAME@URL\n',
  );
}

/** What was said and done before, as it was seen then. */
async function showFormerTurns(conversation: Conversation): Promise<void> {
  const { id, before, events } = await conversation.formerTurns(SHOWN_TURNS);
  if (before > 0) printNow(`(${before} earlier turns: toolpost sessions show ${id})\n`);
  const render = createLogRenderer({ answer: printNow, aside: printNow });
  for (const event of events) render(event);
}

interface Talk {
  readonly conversation: Conversation;
  readonly isTerminal: boolean;
  readonly timeoutMs: number | undefined;
}

async function talk(surroundings: Talk): Promise<number> {
  if (!surroundings.isTerminal) return talkWithoutTerminal(surroundings);
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  await untilEnded({ lines, isTerminal: true }, (ending) => talkAtTerminal({ ...surroundings, lines, ending }));
  return 0;
}

async function talkWithoutTerminal({ conversation, timeoutMs }: Talk): Promise<number> {
  const lines = createInterface({ input: process.stdin });
  const waiting = lines[Symbol.asyncIterator]();
  return untilEnded({ lines, isTerminal: false }, async (ending) => {
    let status = 0;
    for (let next = await waiting.next(); !next.done && !ending.aborted; next = await waiting.next()) {
      const text = next.value.trim();
      if (text === '') continue;
      const reason = await oneTurn(conversation, text, { lines, questions: undefined, timeoutMs, ending });
      status = reason === 'completed' ? 0 : 1;
    }
    return status;
  });
}

interface TerminalTalk extends Talk {
  readonly lines: Interface;
  readonly ending: AbortSignal;
}

/** The shell's prompt stands on a line of its own afterwards, whatever ended the chat. */
async function talkAtTerminal({ lines, ending, timeoutMs, conversation }: TerminalTalk): Promise<void> {
  const waiting = lines[Symbol.asyncIterator]();
  const questions = createTerminalQuestions(lines, printNow);
  const interrupts = watchPromptInterrupts(lines, printNow);
  let isOpen = true;
  lines.once('close', () => {
    isOpen = false;
    printNow('\n');
  });
  const nextLine = async () => {
    interrupts.atPrompt();
    if (isOpen) lines.prompt();
    const next = await waiting.next();
    interrupts.elsewhere();
    return next.done || ending.aborted ? undefined : next.value.trim();
  };
  await inTurn({ lines, questions, timeoutMs, ending }, (turn) => conversation.joinRunning(turn));
  for (let text = await nextLine(); text !== undefined; text = await nextLine()) {
    const command = await cancellable(lines, ending, (signal) => runChatCommand(text, conversation, signal));
    if (command?.leaves) return lines.close();
    if (command) printNow(command.says);
    else if (text !== '') await oneTurn(conversation, text, { lines, questions, timeoutMs, ending });
  }
}

/** A signal that is no Ctrl-C at a terminal ends the chat: the turn is cancelled, and no further line is read. */
async function untilEnded<T>(
  { lines, isTerminal }: { lines: Interface; isTerminal: boolean },
  work: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = () => {
    controller.abort();
    lines.close();
  };
  const signals = isTerminal ? (['SIGTERM', 'SIGHUP'] as const) : (['SIGTERM', 'SIGHUP', 'SIGINT'] as const);
  for (const signal of signals) process.on(signal, end);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

interface TurnSurroundings {
  readonly lines: Interface;
  /** Where there is a person to answer them. */
  readonly questions: TerminalQuestions | undefined;
  readonly timeoutMs: number | undefined;
  readonly ending: AbortSignal;
}

function oneTurn(conversation: Conversation, text: string, around: TurnSurroundings): Promise<string> {
  return inTurn(around, (turn) => conversation.turn(text, turn));
}

/** Ctrl-C is the turn's while it runs. */
function inTurn({ lines, ending, ...shown }: TurnSurroundings, run: RunTurn): Promise<string> {
  return cancellable(lines, ending, (abortSignal) => showTurn(run, { ...shown, abortSignal }));
}

type RunTurn = (turn: ConversationTurn) => Promise<EndedTurn | undefined>;

/** Shows a turn as it happens; resolves with why it ended. */
async function showTurn(
  run: RunTurn,
  { questions, timeoutMs, abortSignal }: Omit<TurnSurroundings, 'lines' | 'ending'> & { abortSignal: AbortSignal },
): Promise<string> {
  const show = (write: () => void) => (questions ? questions.beside(write) : write());
  const asides = questions ? process.stdout : process.stderr;
  const render = createTurnRenderer({
    answer: (part) => show(() => printNow(part)),
    aside: (part) => show(() => void asides.write(part)),
  });
  const ended = await run({
    ...{ abortSignal, timeoutMs, onEvent: render },
    notice: (message) => render({ type: 'warning', message }),
    approve: questions && createTerminalApprover(questions, styleOf(process.stdout)),
    ask: questions && createTerminalAsk(questions),
  });
  const tokens = ended ? usageLine(ended.usage, ended.sessionUsage) : '';
  if (tokens !== '') show(() => void asides.write(`${styleOf(asides).faint(tokens)}\n`));
  return ended?.reason ?? '';
}

/** Ctrl-C at a terminal cancels what runs, and no more. */
async function cancellable<T>(
  lines: Interface,
  ending: AbortSignal,
  work: (abortSignal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  lines.on('SIGINT', cancel);
  try {
    return await work(AbortSignal.any([controller.signal, ending]));
  } finally {
    lines.off('SIGINT', cancel);
  }
}
