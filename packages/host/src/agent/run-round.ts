import type { CallRecord } from '@toolpost/protocol';
import { interruptedResult, type ToolMessage } from './history.ts';
import { runCalls } from './run-calls.ts';
import type { ModelCall } from './step-collector.ts';
import { toToolOutput, withNote } from './tool-output.ts';
import type { TurnState } from './turn-state.ts';

/** The calls of one answer, run. */
export interface Round {
  /** In the order of the calls; a call that an abort kept from starting has none. */
  readonly records: readonly (CallRecord | undefined)[];
  /** What the model gets: a result for each call, with a note behind the last where there is one. */
  toMessage(note: string | undefined): ToolMessage;
}

export async function runRound({ turn, toToolArguments }: TurnState, calls: readonly ModelCall[]): Promise<Round> {
  const { callTool, onEvent, abortSignal, tools } = turn;
  // Names are looked up with folded case, here as in the registry.
  const serial = new Set(tools.filter((tool) => tool.concurrency === 'serial').map((tool) => tool.name.toLowerCase()));
  const isSerial = (name: string) => serial.has(name.toLowerCase());
  const given = calls.map((call) => ({ ...call, arguments: toToolArguments(call.name, call.arguments) }));
  const records = await runCalls(given, { callTool, onEvent, abortSignal, isSerial });
  return { records, toMessage: (note) => toMessage(calls, records, note) };
}

/** Results for calls that are not run. */
export function skipRound(calls: readonly ModelCall[], reason: string): ToolMessage {
  const content = calls.map(({ id: toolCallId, wireName: toolName }) => {
    const output = { type: 'error-text', value: reason } as const;
    return { type: 'tool-result', toolCallId, toolName, output } as const;
  });
  return { role: 'tool', content };
}

function toMessage(
  calls: readonly ModelCall[],
  records: readonly (CallRecord | undefined)[],
  note: string | undefined,
): ToolMessage {
  const content = calls.map(({ id: toolCallId, wireName: toolName }, index) => {
    const record = records[index];
    if (!record) return interruptedResult({ toolCallId, toolName });
    const output = toToolOutput(record);
    const isLast = index === calls.length - 1;
    return {
      ...{ type: 'tool-result' as const, toolCallId, toolName },
      output: note !== undefined && isLast ? withNote(output, note) : output,
    };
  });
  return { role: 'tool', content };
}
