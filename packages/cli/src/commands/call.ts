import { brokenText, createEventSequence, type Host } from '@toolpost/host';
import type { CallRecord, EventBody } from '@toolpost/protocol';
import { createAskAtTerminal } from '../ask-form.ts';
import { readCallArguments } from '../call-arguments.ts';
import { type CallDisplay, createCallDisplay } from '../call-display.ts';
import type { CommonOptions } from '../common-options.ts';
import { describeFailure } from '../failed-call.ts';
import { cancellable } from '../on-signals.ts';
import { withHost } from '../open-host.ts';
import { followingCalls } from '../plugin-exit.ts';
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
    withHost(
      options,
      async (host, session) => {
        const startedAt = Date.now();
        const display = watches(options) ? createCallDisplay((text) => void process.stderr.write(text)) : undefined;
        const onEvent = followingCalls(options.events ? jsonLines(session.id) : forPeople(display));
        const record = await host.callTool({ id: `call-${session.id}`, name, arguments: toolArguments }, session, {
          abortSignal,
          onEvent,
          timeoutMs: options.timeout,
          isUserCall: true,
          areWords: pairs.length > 0,
          ask: isTerminal() ? createAskAtTerminal(abortSignal) : undefined,
        });
        display?.end(record);
        await warnOfOthers(host, record);
        if (options.json) await print(`${JSON.stringify(record)}\n`);
        else if (record.outcome === 'completed' && !options.events) await printForPeople(record);
        else if (!options.events)
          process.stderr.write(`toolpost: ${await describeFailure(host, session, { record, startedAt })}\n`);
        return record.outcome === 'completed' ? 0 : 1;
      },
      { warnsOfBroken: false },
    ),
  );
}

/** A person reads the questions on stderr: stdout may be piped on. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function watches({ json, events }: CallOptions): boolean {
  return process.stderr.isTTY === true && !json && !events;
}

function jsonLines(sessionId: string): (event: EventBody) => void {
  const number = createEventSequence(sessionId);
  return (event) => printNow(`${JSON.stringify(number(event))}\n`);
}

function forPeople(display: CallDisplay | undefined): (event: EventBody) => void {
  return (event) => {
    if (event.type === 'warning') process.stderr.write(`toolpost: warning: ${plainText(event.message)}\n`);
    else display?.onEvent(event);
  };
}

/** The plugins that do not work, but for the one whose reason is the call's own outcome. */
async function warnOfOthers(host: Host, { plugin, outcome }: CallRecord): Promise<void> {
  for (const { id, state, error } of await host.listPlugins({ start: false })) {
    if (state !== 'error' || error === undefined || (id === plugin && outcome === 'crashed')) continue;
    process.stderr.write(`toolpost: warning: ${plainText(host.redact(brokenText(id, error)))}\n`);
  }
}

async function printForPeople(record: CallRecord): Promise<void> {
  const text = terminalText(record.text);
  const others = record.content.flatMap((block) => (block.type === 'text' ? [] : [`[${block.type}: see --json]`]));
  const shown = [text, ...others].filter((part) => part !== '').join('\n');
  return print(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}
