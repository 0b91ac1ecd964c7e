import { createAgent, createEventSequence } from '@toolpost/host';
import type { EventBody } from '@toolpost/protocol';
import type { CommonOptions } from '../common-options.ts';
import { cancellable } from '../on-signals.ts';
import { withHost } from '../open-host.ts';
import { followingCalls } from '../plugin-exit.ts';
import { print, printNow } from '../print.ts';
import { createTurnRenderer } from '../render-turn.ts';
import { styleOf } from '../terminal-style.ts';
import { usageLine } from '../usage-line.ts';

export interface RunOptions extends CommonOptions {
  readonly model?: string;
  readonly json?: boolean;
}

/** `toolpost run`, and `chat -p`: one turn without a person to ask. Exits with 0 when the turn is completed, else 1. */
export async function run(text: string, options: RunOptions): Promise<number> {
  return cancellable((abortSignal) =>
    withHost(options, async (host, session) => {
      const agent = await createAgent({ host, session, model: options.model });
      const onEvent = followingCalls(options.json ? jsonLines(session.id) : plainLines());
      const { reason, usage } = await agent.turn(text, { abortSignal, onEvent, timeoutMs: options.timeout });
      await print('');
      const tokens = usageLine(usage, agent.usage);
      if (tokens !== '' && !options.json) process.stderr.write(`${styleOf(process.stderr).faint(tokens)}\n`);
      return reason === 'completed' ? 0 : 1;
    }),
  );
}

function jsonLines(sessionId: string): (event: EventBody) => void {
  const number = createEventSequence(sessionId);
  return (event) => printNow(`${JSON.stringify(number(event))}\n`);
}

/** The answer is the output; what happens beside it goes to stderr, so that the answer can be piped. */
function plainLines(): (event: EventBody) => void {
  return createTurnRenderer({
    answer: (text) => printNow(text),
    aside: (text) => void process.stderr.write(text),
  });
}
