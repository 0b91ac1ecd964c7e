import { createInterface, type Interface } from 'node:readline';
import { type Agent, createAgent, type Host } from '@toolpost/host';
import type { Session } from '@toolpost/protocol';
import { createTerminalApprover } from '../ask-approval.ts';
import { createTerminalAsk } from '../ask-form.ts';
import { askTrust } from '../ask-trust.ts';
import type { CommonOptions } from '../common-options.ts';
import { withHost } from '../open-host.ts';
import { printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { createTerminalQuestions, type TerminalQuestions } from '../terminal-questions.ts';
import { styleOf } from '../terminal-style.ts';
import { plainText } from '../terminal-text.ts';
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
    return talk(agent, { isTerminal, timeoutMs: options.timeout });
  });
}

async function greet({ model }: Agent, host: Host, session: Session): Promise<void> {
  const { tools } = await host.listTools(session);
  printNow(
    plainText(`Toolpost, model ${model}, ${tools.length} tools, in ${session.roots.join(', ')}. Ctrl-D ends.\n`),
  );
  if (model !== 'demo') return;
  printNow(
    'The demo model only matches words: try "greet Bob" or "what is the weather in Oslo". For a real one:\n' +
      '  OPENAI_API_KEY=... toolpost chat --model openai:gpt-5, or anthropic:NAME, or openai-compatible:NAME@URL\n',
  );
}

interface Talk {
  readonly isTerminal: boolean;
  readonly timeoutMs: number | undefined;
}

async function talk(agent: Agent, { isTerminal, timeoutMs }: Talk): Promise<number> {
  const lines = createInterface({ input: process.stdin, ...(isTerminal && { output: process.stdout, prompt: '> ' }) });
  const waiting = lines[Symbol.asyncIterator]();
  const questions = isTerminal ? createTerminalQuestions(lines, printNow) : undefined;
  return untilEnded({ lines, isTerminal }, async (ending) => {
    let status = 0;
    let isOpen = true;
    lines.once('close', () => {
      isOpen = false;
    });
    if (isTerminal) lines.prompt();
    for (let next = await waiting.next(); !next.done && !ending.aborted; next = await waiting.next()) {
      const text = next.value.trim();
      if (text !== '') {
        const reason = await oneTurn(agent, text, { lines, questions, timeoutMs, ending });
        status = reason === 'completed' ? 0 : 1;
      }
      if (isTerminal && isOpen) lines.prompt();
    }
    return isTerminal ? 0 : status;
  });
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

/** Ctrl-C during a turn cancels that turn; at the prompt it ends the chat, as readline does. */
async function oneTurn(
  agent: Agent,
  text: string,
  { lines, questions, timeoutMs, ending }: TurnSurroundings,
): Promise<string> {
  const controller = new AbortController();
  const abortSignal = AbortSignal.any([controller.signal, ending]);
  const cancel = () => controller.abort();
  const show = (write: () => void) => (questions ? questions.beside(write) : write());
  lines.on('SIGINT', cancel);
  try {
    const { reason } = await agent.turn(text, {
      abortSignal,
      onEvent: createTurnRenderer({
        answer: (part) => show(() => printNow(part)),
        aside: (part) => show(() => void (questions ? process.stdout : process.stderr).write(part)),
      }),
      approve: questions && createTerminalApprover(questions, styleOf(process.stdout)),
      ask: questions && createTerminalAsk(questions, abortSignal),
      timeoutMs,
    });
    return reason;
  } finally {
    lines.off('SIGINT', cancel);
  }
}
