import type { EventBody, ToolpostEvent } from '@toolpost/protocol';

const WORDS = 'The registry folds case, so `read` shadows the **built-in** one, and a list of what is there is kept. ';
const CODE = '```ts\nexport const sum = (a: number, b: number) => a + b; // what it says\n```\n\n';

/** Turns without an end: words as they stream, three calls at once that print, a change, and words again. */
export function* sessionEvents(): Generator<ToolpostEvent> {
  let seq = 0;
  for (let turn = 1; ; turn++)
    for (const body of turnEvents(turn)) {
      seq += 1;
      yield { ...body, sessionId: 'bench', seq, at: 1_700_000_000_000 + seq * 10 } as ToolpostEvent;
    }
}

function* turnEvents(turn: number): Generator<EventBody> {
  yield { type: 'turn-start', text: `Look at part ${turn} and say what it does.` };
  yield* words(20);
  const ids = ['a', 'b', 'c'].map((letter) => `${turn}-${letter}`);
  for (const toolCallId of ids)
    yield {
      type: 'tool-call-start',
      toolCallId,
      name: 'bash',
      plugin: 'builtin',
      arguments: '{}',
      displayArg: 'npm test',
    };
  for (let line = 1; line <= 20; line++)
    for (const toolCallId of ids)
      yield {
        type: 'tool-output-delta',
        toolCallId,
        stream: 'stdout',
        text: `${toolCallId}: line ${line} of what a test prints\n`,
      };
  for (const toolCallId of ids) yield ended(toolCallId, 'twenty lines\n'.repeat(20), {});
  const start_line = turn;
  const old_lines = ['const one = 1;', 'const two = 2;'];
  yield ended(`${turn}-d`, 'changed', { start_line, old_lines, new_lines: ['const one = "1";'] });
  yield* words(20);
  yield { type: 'usage', inputTokens: 1000, outputTokens: 200, totalTokens: 1200 };
  yield { type: 'turn-end', text: '', reason: 'completed' };
}

function* words(count: number): Generator<EventBody> {
  for (let at = 0; at < count; at++) yield { type: 'text-delta', text: at % 7 === 6 ? `\n\n${CODE}` : WORDS };
}

function ended(toolCallId: string, text: string, metadata: Record<string, unknown>): EventBody {
  const content = [{ type: 'text' as const, text }];
  const record = { id: toolCallId, name: 'bash', plugin: 'builtin', outcome: 'completed' as const, isError: false };
  return {
    ...{ type: 'tool-call-end', toolCallId, name: 'bash', outcome: 'completed' },
    result: { ...record, content, text, metadata, durationMs: 12 },
  };
}
