import { createInterface, type Interface } from 'node:readline';
import { type Agent, createAgent, type Host } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import { createTerminalApprover } from '../ask-approval.ts';
import { createTerminalAsk } from '../ask-form.ts';
import { askTrust } from '../ask-trust.ts';
import { runChatCommand } from '../chat-commands.ts';
import type { CommonOptions } from '../common-options.ts';
import { watchPromptInterrupts } from '../leave-on-second.ts';
import { withHost } from '../open-host.ts';
import { followingCalls } from '../plugin-exit.ts';
import { printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { createTerminalQuestions, type TerminalQuestions } from '../terminal-questions.ts';
import { styleOf } from '../terminal-style.ts';
import { plainText } from '../terminal-text.ts';
import { usageLine } from '../usage-line.ts';
import { run } from './run.ts';

export interface ChatOptions extends CommonOptions {
  readonly prompt?: string;
  readonly model?: string;
}

/** `toolpost chat`: one prompt a line, until the input ends. */
export async function chat(options: ChatOptions): Promise<number> {
  if (options.prompt !== undefined) return run(options.prompt, options);
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (isTerminal) await askTrust(options.root ?? [process.cwd()]);
  return withHost(options, async (host, session) => {
    const agent = await createAgent({ host, session, model: options.model });
    if (isTerminal) await greet(agent, host, session);
    return talk(agent, { host, session, isTerminal, timeoutMs: options.timeout });
  });
}

async function greet({ model }: Agent, host: Host, session: Session): Promise<void> {
  const { tools } = await host.listTools(session);
  printNow(plainText(`Toolpost, model ${model}, ${tools.length} tools, in ${session.roots.join(', ')}.\n`));
  printNow('/help lists commands. Ctrl-D leaves, or Ctrl-C twice.\n');
  if (model !== 'demo') return;
  printNow(
    'The demo model only matches words: try "greet Bob" or "what is the weather in Oslo". For a real one:\n' +
      '  OPENAI_API_KEY=... toolpost chat --model openai:gpt-5, or anthropic:NAME, or openai-compatible:NAME@URL\n',
  );
}

interface Talk {
  readonly host: Host;
  readonly session: Session;
  readonly isTerminal: boolean;
  readonly timeoutMs: number | undefined;
}

async function talk(agent: Agent, surroundings: Talk): Promise<number> {
  if (!surroundings.isTerminal) return talkWithoutTerminal(agent, surroundings);
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });
  await untilEnded({ lines, isTerminal: true }, (ending) => talkAtTerminal(agent, { ...surroundings, lines, ending }));
  return 0;
}

async function talkWithoutTerminal(agent: Agent, { timeoutMs }: Talk): Promise<number> {
  const lines = createInterface({ input: process.stdin });
  const waiting = lines[Symbol.asyncIterator]();
  return untilEnded({ lines, isTerminal: false }, async (ending) => {
    let status = 0;
    for (let next = await waiting.next(); !next.done && !ending.aborted; next = await waiting.next()) {
      const text = next.value.trim();
      if (text === '') continue;
      const reason = await oneTurn(agent, text, { lines, questions: undefined, timeoutMs, ending });
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
async function talkAtTerminal(agent: Agent, { host, session, timeoutMs, lines, ending }: TerminalTalk): Promise<void> {
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
  for (let text = await nextLine(); text !== undefined; text = await nextLine()) {
    const command = await runChatCommand(text, host, session);
    if (command?.leaves) return lines.close();
    if (command) printNow(command.says);
    else if (text !== '') await oneTurn(agent, text, { lines, questions, timeoutMs, ending });
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

/** Ctrl-C during a turn cancels that turn. */
async function oneTurn(
  agent: Agent,
  text: string,
  { lines, questions, timeoutMs, ending }: TurnSurroundings,
): Promise<string> {
  const controller = new AbortController();
  const abortSignal = AbortSignal.any([controller.signal, ending]);
  const cancel = () => controller.abort();
  const show = (write: () => void) => (questions ? questions.beside(write) : write());
  const asides = questions ? process.stdout : process.stderr;
  lines.on('SIGINT', cancel);
  try {
    const { reason, usage } = await agent.turn(text, {
      abortSignal,
      onEvent: followingCalls(
        createTurnRenderer({
          answer: (part) => show(() => printNow(part)),
          aside: (part) => show(() => void asides.write(part)),
        }),
      ),
      approve: questions && createTerminalApprover(questions, styleOf(process.stdout)),
      ask: questions && createTerminalAsk(questions, abortSignal),
      timeoutMs,
    });
    const tokens = usageLine(usage, agent.usage);
    if (tokens !== '') show(() => void asides.write(`${styleOf(asides).faint(tokens)}\n`));
    return reason;
  } finally {
    lines.off('SIGINT', cancel);
  }
}
