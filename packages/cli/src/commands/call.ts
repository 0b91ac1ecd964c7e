import { createEventSequence } from '@toolpost/host';
import type { CallRecord, EventBody } from '@toolpost/protocol';
import { readCallArguments } from '../call-arguments.ts';
import type { CommonOptions } from '../common-options.ts';
import { cancellable } from '../on-signals.ts';
import { withHost } from '../open-host.ts';
import { print, printNow } from '../print.ts';
import { plainText, terminalText } from '../terminal-text.ts';
import { UsageError } from '../usage-error.ts';

export interface CallOptions extends CommonOptions {
  readonly input?: string;
  readonly json: boolean;
  readonly events: boolean;
}

/** `toolpost call`: the user's own act, so an `ask` for this very tool counts as answered yes. */
export async function call(name: string, pairs: string[], options: CallOptions): Promise<number> {
  if (options.json && options.events) throw new UsageError('--json and --events exclude each other: take one');
  const toolArguments = await readCallArguments(pairs, options.input);
  return cancellable((abortSignal) =>
    withHost(options, async (host, session) => {
      const number = createEventSequence(session.id);
      const onEvent = options.events ? (event: EventBody) => printNow(`${JSON.stringify(number(event))}\n`) : undefined;
      const record = await host.callTool({ id: `call-${session.id}`, name, arguments: toolArguments }, session, {
        abortSignal,
        onEvent,
        timeoutMs: options.timeout,
        isUserCall: true,
      });
      if (options.json) await print(`${JSON.stringify(record)}\n`);
      else if (!options.events) await printForPeople(record);
      return record.outcome === 'completed' ? 0 : 1;
    }),
  );
}

async function printForPeople(record: CallRecord): Promise<void> {
  const text = terminalText(record.text);
  const others = record.content.flatMap((block) => (block.type === 'text' ? [] : [`[${block.type}: see --json]`]));
  const shown = [text, ...others].filter((part) => part !== '').join('\n');
  if (record.outcome === 'completed') return print(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
  process.stderr.write(`toolpost: ${plainText(record.name)} ${record.outcome}: ${shown}\n`);
}
