import { interruptedResult, type ToolMessage } from './history.ts';
import type { CallEnd, RepetitionWatch } from './repetition.ts';
import { runCalls } from './run-calls.ts';
import type { ModelCall } from './step-collector.ts';
import { toToolOutput, withNote } from './tool-output.ts';
import type { TurnState } from './turn-state.ts';

/** The calls of one answer, run. */
export interface Round {
  /** What the model gets: a result for each call, in the order of the calls. */
  readonly message: ToolMessage;
  /** The model makes nothing but calls that it was told to stop making. */
  readonly isStuck: boolean;
}

export async function runRound(
  { turn, toToolArguments }: TurnState,
  calls: readonly ModelCall[],
  repetition: RepetitionWatch,
): Promise<Round> {
  const { callTool, onEvent, abortSignal, tools } = turn;
  // Names are looked up with folded case, here as in the registry.
  const serial = new Set(tools.filter((tool) => tool.concurrency === 'serial').map((tool) => tool.name.toLowerCase()));
  const isSerial = (name: string) => serial.has(name.toLowerCase());
  const given = calls.map((call) => ({ ...call, arguments: toToolArguments(call.name, call.arguments) }));
  const watch = repetition.startRound();
  const ends = await runCalls(given, { callTool, onEvent, abortSignal, isSerial, watch });
  const { notes, isStuck } = watch.end(given, ends);
  return { message: toMessage(calls, ends, notes), isStuck };
}

function toMessage(
  calls: readonly ModelCall[],
  ends: readonly CallEnd[],
  notes: readonly (string | undefined)[],
): ToolMessage {
  const content = calls.map(({ id: toolCallId, wireName: toolName }, index) => {
    const record = ends[index]?.record;
    // An abort kept it from starting.
    if (!record) return interruptedResult({ toolCallId, toolName });
    const output = toToolOutput(record);
    const note = notes[index];
    return {
      ...{ type: 'tool-result' as const, toolCallId, toolName },
      output: note === undefined ? output : withNote(output, note),
    };
  });
  return { role: 'tool', content };
}
