import { brokenText, createEventSequence, type Host } from '@toolpost/host';
import type { CallRecord, EventBody, Session, ToolCall } from '@toolpost/protocol';
import { createAskAtTerminal } from '../ask-form.ts';
import { readCallArguments } from '../call-arguments.ts';
import { type CallDisplay, createCallDisplay } from '../call-display.ts';
import { callHeading } from '../call-heading.ts';
import type { CommonOptions } from '../common-options.ts';
import { describeFailure, describeLog } from '../failed-call.ts';
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
  const areWords = pairs.length > 0;
  return cancellable(async (abortSignal) => {
    const startedAt = Date.now();
    const work = async (host: Host, session: Session) => {
      const call = { id: `call-${session.id}`, name, arguments: toolArguments };
      const record = await callOnce(host, session, { call, options, abortSignal, areWords });
      await warnOfOthers(host, record, options);
      await show(host, session, { record, options });
      return { record, logPath: host.logPath(record.plugin) };
    };
    const { record, logPath } = await withHost(options, work, { warnsOfBroken: false });
    if (record.outcome === 'completed') return 0;
    const isToldWhere = record.plugin === '' || record.metadata?.thrownAt !== undefined;
    if (isForPeople(options) && !isToldWhere) process.stderr.write(describeLog(logPath, startedAt));
    return 1;
  });
}

interface OneCall {
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly abortSignal: AbortSignal;
  readonly areWords: boolean;
}

async function callOnce(host: Host, session: Session, one: OneCall): Promise<CallRecord> {
  const { call, options, abortSignal, areWords } = one;
  const display = watches(options) ? createCallDisplay((text) => void process.stderr.write(text)) : undefined;
  const record = await host.callTool(call, session, {
    abortSignal,
    onEvent: followingCalls(options.events ? jsonLines(session.id) : besideResult(options, display)),
    timeoutMs: options.timeout,
    isUserCall: true,
    areWords,
    ask: isTerminal() ? createAskAtTerminal(abortSignal) : undefined,
  });
  display?.end(record);
  return record;
}

interface Shown {
  readonly record: CallRecord;
  readonly options: CallOptions;
}

async function show(host: Host, session: Session, { record, options }: Shown): Promise<void> {
  if (options.json) return print(`${JSON.stringify(record)}\n`);
  if (!isForPeople(options)) return;
  if (record.outcome === 'completed') return printForPeople(record);
  process.stderr.write(`toolpost: ${await describeFailure(host, session, record)}\n`);
}

function isForPeople({ json, events }: CallOptions): boolean {
  return !json && !events;
}

/** A person reads the questions on stderr: stdout may be piped on. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function watches(options: CallOptions): boolean {
  return process.stderr.isTTY === true && isForPeople(options);
}

function jsonLines(sessionId: string): (event: EventBody) => void {
  const number = createEventSequence(sessionId);
  return (event) => printNow(`${JSON.stringify(number(event))}\n`);
}

/** What stands on stderr beside a result: for a person also what the call is about, and what it streams. */
function besideResult(options: CallOptions, display: CallDisplay | undefined): (event: EventBody) => void {
  return (event) => {
    if (event.type === 'warning') process.stderr.write(`toolpost: warning: ${plainText(event.message)}\n`);
    else if (event.type === 'tool-call-start' && event.displayArg !== undefined && isForPeople(options)) {
      process.stderr.write(`${plainText(callHeading(event.name, event.displayArg))}\n`);
    } else display?.onEvent(event);
  };
}

/** The plugins that do not work, but for the one whose reason is the call's own outcome. */
async function warnOfOthers(host: Host, { plugin, outcome }: CallRecord, options: CommonOptions): Promise<void> {
  const flags = { pluginDirs: options.plugins ?? [], configFile: options.config };
  for (const { id, state, error } of await host.listPlugins({ start: false })) {
    if (state !== 'error' || error === undefined || (id === plugin && outcome === 'crashed')) continue;
    process.stderr.write(`toolpost: warning: ${plainText(host.redact(brokenText(id, error, flags)))}\n`);
  }
}

async function printForPeople(record: CallRecord): Promise<void> {
  const text = terminalText(record.text);
  const others = record.content.flatMap((block) => (block.type === 'text' ? [] : [`[${block.type}: see --json]`]));
  const shown = [text, ...others].filter((part) => part !== '').join('\n');
  return print(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}
