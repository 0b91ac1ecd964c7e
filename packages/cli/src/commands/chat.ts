import { createInterface, type Interface } from 'node:readline';
import { askTrust } from '../ask-trust.ts';
import type { Conversation, EndedTurn } from '../conversation.ts';
import { localConversation } from '../local-conversation.ts';
import { cancellable } from '../on-signals.ts';
import { printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { styleOf } from '../terminal-style.ts';
import { usageLine } from '../usage-line.ts';
import { type SessionOptions, withSession } from '../with-session.ts';
import { run } from './run.ts';

export interface ChatOptions extends SessionOptions {
  readonly prompt?: string;
  /** The address of a server whose session it is. */
  readonly connect?: string;
}

/** `toolpost chat`: the client of the terminal, or without one a prompt a line, until the input ends. */
export async function chat(options: ChatOptions): Promise<number> {
  if (options.connect !== undefined) return chatWithServer(options.connect, options);
  if (options.prompt !== undefined) return run(options.prompt, options);
  if (isAtTerminal()) await askTrust(options.root ?? [process.cwd()]);
  return withSession(options, async (opened) => {
    await opened.session.checkModel();
    return talk(localConversation(opened), { timeoutMs: options.timeout });
  });
}

/** The same with a session of a server. Its part is loaded when it is wanted. */
async function chatWithServer(address: string, options: ChatOptions): Promise<number> {
  const { withRemote } = await import('../connect/with-remote.ts');
  const { prompt, timeout: timeoutMs } = options;
  return withRemote(address, options, async (conversation, { url }) => {
    if (prompt === undefined) return talk(conversation, { timeoutMs, address: url });
    return cancellable(async (abortSignal) => {
      const reason = await showTurn(conversation, prompt, { timeoutMs, abortSignal });
      return reason === 'completed' ? 0 : 1;
    });
  });
}

/** A terminal that can draw, with a person at it. */
function isAtTerminal(): boolean {
  const { stdin, stdout, env } = process;
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !isOn(env.CI);
}

function isOn(flag: string | undefined): boolean {
  return flag !== undefined && flag !== '' && flag !== '0' && flag !== 'false';
}

interface Talk {
  readonly timeoutMs: number | undefined;
  /** Of the server, where the session is one's. */
  readonly address?: string;
}

async function talk(conversation: Conversation, options: Talk): Promise<number> {
  if (!isAtTerminal()) return talkInLines(conversation, options);
  const { chatAtTerminal } = await import('../terminal-client/chat-at-terminal.tsx');
  await chatAtTerminal(conversation, options);
  return 0;
}

async function talkInLines(conversation: Conversation, { timeoutMs }: Talk): Promise<number> {
  const lines = createInterface({ input: process.stdin });
  const waiting = lines[Symbol.asyncIterator]();
  return untilEnded(lines, async (abortSignal) => {
    let status = 0;
    for (let next = await waiting.next(); !next.done && !abortSignal.aborted; next = await waiting.next()) {
      const text = next.value.trim();
      if (text === '') continue;
      const reason = await showTurn(conversation, text, { timeoutMs, abortSignal });
      status = reason === 'completed' ? 0 : 1;
    }
    return status;
  });
}

/** A signal ends the chat: the turn is cancelled, and no further line is read. */
async function untilEnded<T>(lines: Interface, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const end = () => {
    controller.abort();
    lines.close();
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
  }
}

const ENDING_SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Shows a turn as plain lines while it happens; resolves with why it ended. Nobody answers questions. Standard output is
 * the answer to this text: what others ask in the session is none of it.
 */
async function showTurn(
  conversation: Conversation,
  text: string,
  { timeoutMs, abortSignal }: { timeoutMs: number | undefined; abortSignal: AbortSignal },
): Promise<string> {
  const { stderr } = process;
  const render = createTurnRenderer({ answer: printNow, aside: (part) => void stderr.write(part) });
  const ended: EndedTurn = await conversation.turn(text, {
    ...{ abortSignal, timeoutMs, onEvent: render, isOwnOnly: true },
    notice: (message) => render({ type: 'warning', message }),
    approve: undefined,
    ask: undefined,
  });
  const tokens = usageLine(ended.usage, ended.sessionUsage);
  if (tokens !== '') stderr.write(`${styleOf(stderr).faint(tokens)}\n`);
  return ended.reason;
}
