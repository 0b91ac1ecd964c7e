import type { ToolpostEvent } from '@toolpost/protocol';
import { cancellable } from '../on-signals.ts';
import { followingCalls } from '../plugin-exit.ts';
import { print, printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { styleOf } from '../terminal-style.ts';
import { usageLine } from '../usage-line.ts';
import { type SessionOptions, withSession } from '../with-session.ts';

export interface RunOptions extends SessionOptions {
  readonly json?: boolean;
}

/** `toolpost run`, and `chat -p`: one turn without a person to ask. Exits with 0 when the turn is completed, else 1. */
export async function run(text: string, options: RunOptions): Promise<number> {
  return cancellable((abortSignal) =>
    withSession(options, async ({ session }) => {
      const show = followingCalls<ToolpostEvent>(options.json ? jsonLine : plainLines());
      const end = session.subscribe({ afterSeq: session.lastSeq }, show);
      const { reason, usage } = await session.turn(text, { abortSignal, timeoutMs: options.timeout }).finally(end);
      await print('');
      const tokens = usageLine(usage, session.usage);
      if (tokens !== '' && !options.json) process.stderr.write(`${styleOf(process.stderr).faint(tokens)}\n`);
      return reason === 'completed' ? 0 : 1;
    }),
  );
}

function jsonLine(event: ToolpostEvent): void {
  printNow(`${JSON.stringify(event)}\n`);
}

/** The answer is the output; what happens beside it goes to stderr, so that the answer can be piped. */
function plainLines(): (event: ToolpostEvent) => void {
  return createTurnRenderer({
    answer: (text) => printNow(text),
    aside: (text) => void process.stderr.write(text),
  });
}
