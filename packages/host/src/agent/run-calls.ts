import type { CallRecord, EventBody, ToolCall } from '@toolpost/protocol';
import type { ModelCall } from './step-collector.ts';

/**
 * Runs one call and reports on it: `onEvent` gets `tool-call-start`, what comes in between, and `tool-call-end`.
 * Settles soon after `abortSignal` aborts, and never rejects for what a tool or a model did.
 */
export type CallTool = (
  call: ToolCall,
  options: { readonly abortSignal: AbortSignal; readonly onEvent: (event: EventBody) => void },
) => Promise<CallRecord>;

export interface RoundOptions {
  readonly abortSignal: AbortSignal;
  readonly callTool: CallTool;
  readonly onEvent: (event: EventBody) => void;
  readonly isSerial: (toolName: string) => boolean;
}

/**
 * Runs the calls of one round: all at once, except that calls of serial tools wait for one another in their order.
 * The records stand in the order of the calls; a call that an abort kept from starting has none.
 */
export async function runCalls(
  calls: readonly ModelCall[],
  options: RoundOptions,
): Promise<(CallRecord | undefined)[]> {
  let previousSerial: Promise<unknown> | undefined;
  const running = calls.map((call) => {
    if (!options.isSerial(call.name)) return runCall(call, options);
    const record = previousSerial ? previousSerial.then(() => runCall(call, options)) : runCall(call, options);
    previousSerial = record;
    return record;
  });
  return Promise.all(running);
}

async function runCall(call: ModelCall, options: RoundOptions): Promise<CallRecord | undefined> {
  if (options.abortSignal.aborted) return undefined;
  const { id, name } = call;
  try {
    return await options.callTool({ id, name, arguments: call.arguments }, options);
  } catch (error) {
    // A fault of the host, not of the tool: the siblings and the turn go on, and somebody is told.
    const reason = error instanceof Error ? error.message : String(error);
    options.onEvent({ type: 'warning', message: `The call of ${name} failed inside Toolpost: ${reason}` });
    return undefined;
  }
}
