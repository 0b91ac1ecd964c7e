import { type CallRecord, type EventBody, messageOf, type ToolCall } from '@toolpost/protocol';
import { type CallEnd, NOT_RUN, type RoundWatch } from './repetition.ts';
import type { ModelCall } from './step-collector.ts';

/**
 * Runs one call and reports on it: `onEvent` gets `tool-call-start`, what comes in between, and `tool-call-end`.
 * Settles soon after `abortSignal` aborts, and never rejects for what a tool or a model did.
 */
export type CallTool = (
  call: ToolCall,
  options: {
    readonly abortSignal: AbortSignal;
    readonly onEvent: (event: EventBody) => void;
    /** The call is reported on and does not run: its outcome is `denied`, with this text. */
    readonly refusal?: string;
  },
) => Promise<CallRecord>;

export interface RoundOptions {
  readonly abortSignal: AbortSignal;
  readonly callTool: CallTool;
  readonly onEvent: (event: EventBody) => void;
  readonly isSerial: (toolName: string) => boolean;
  readonly watch: RoundWatch;
}

/**
 * Runs the calls of one round: all at once, except that calls of serial tools wait for one another in their order.
 * The ends stand in the order of the calls.
 */
export async function runCalls(calls: readonly ModelCall[], options: RoundOptions): Promise<CallEnd[]> {
  let previousSerial: Promise<unknown> | undefined;
  const watched = (call: ModelCall) =>
    options.watch.run(
      call,
      () => runCall(call, options),
      () => runCall(call, options, NOT_RUN),
    );
  const running = calls.map((call) => {
    if (!options.isSerial(call.name)) return watched(call);
    const end = previousSerial ? previousSerial.then(() => watched(call)) : watched(call);
    previousSerial = end;
    return end;
  });
  return Promise.all(running);
}

async function runCall(call: ModelCall, options: RoundOptions, refusal?: string): Promise<CallRecord | undefined> {
  const { abortSignal, onEvent } = options;
  if (abortSignal.aborted) return undefined;
  const { id, name } = call;
  try {
    const given = { id, name, arguments: call.arguments };
    return await options.callTool(given, { abortSignal, onEvent, ...(refusal !== undefined && { refusal }) });
  } catch (error) {
    // A fault of the host, not of the tool: the siblings and the turn go on, and somebody is told.
    const reason = messageOf(error);
    onEvent({ type: 'warning', message: `The call of ${name} failed inside Toolpost: ${reason}` });
    return undefined;
  }
}
