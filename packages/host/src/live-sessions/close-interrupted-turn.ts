import type { CallRecord, EventBody, ToolpostEvent } from '@toolpost/protocol';
import { assistantMessage, callsIn, type HistoryMessage, INTERRUPTED, repairHistory } from '../agent/history.ts';
import { toToolOutput } from '../agent/tool-output.ts';
import type { LogEntry } from '../sessions/session-store.ts';

const HOST_ENDED = 'The host ended in the middle of this turn.';
const REMEDY = 'What was done until then is kept: say how to go on.';

type Started = Extract<ToolpostEvent, { type: 'tool-call-start' }>;

/** What the log of a turn says that was cut off. */
interface CutTurn {
  readonly open: Map<string, Started>;
  readonly ended: Map<string, CallRecord>;
  readonly questions: Set<string>;
  readonly forms: Set<string>;
  /** What the model was saying, as far as clients have seen it. */
  text: string;
}

/**
 * What is missing behind a turn that was cut off, as by a kill of its host: an answer to each open question and form, an end of each open call and of
 * the turn for clients, and for the model a history that every provider takes. A call that had ended keeps its result,
 * also where the kill came before its siblings were done.
 */
export function closeInterruptedTurn(
  turn: Iterable<ToolpostEvent>,
  history: readonly HistoryMessage[],
  { at, why = HOST_ENDED }: { at: number; why?: string | undefined },
): LogEntry[] {
  const cut: CutTurn = { open: new Map(), ended: new Map(), questions: new Set(), forms: new Set(), text: '' };
  for (const event of turn) read(event, cut);
  const bodies: EventBody[] = [
    ...[...cut.questions].map((approvalId) => ({
      ...{ type: 'approval-end' as const, approvalId, answer: 'no', by: 'the host' },
    })),
    ...[...cut.forms].map((formId) => ({
      ...{ type: 'form-end' as const, formId, action: 'cancel' as const, by: 'the host' },
    })),
    ...[...cut.open.values()].map((start) => endOf(start, at)),
    { type: 'turn-error', message: `${why} ${REMEDY}` },
  ];
  return [
    ...bodies.map((body) => ({ type: 'event' as const, body, at })),
    { type: 'history', messages: complete(history, cut) },
  ];
}

function read(event: ToolpostEvent, cut: CutTurn): void {
  if (event.type === 'text-delta') {
    cut.text += event.text;
    return;
  }
  if (event.type === 'tool-call-start') cut.open.set(event.toolCallId, event);
  else if (event.type === 'tool-call-end') {
    cut.open.delete(event.toolCallId);
    cut.ended.set(event.toolCallId, event.result);
  } else if (event.type === 'approval-request') cut.questions.add(event.approvalId);
  else if (event.type === 'approval-end') cut.questions.delete(event.approvalId);
  else if (event.type === 'form-request') cut.forms.add(event.formId);
  else if (event.type === 'form-end') cut.forms.delete(event.formId);
  // These stand behind an answer of the model that is whole, and in the history.
  if (event.type === 'tool-call-start' || event.type === 'tool-call-end' || event.type === 'usage') cut.text = '';
}

function endOf({ toolCallId, name, plugin, at: startedAt }: Started, at: number): EventBody {
  const outcome = 'crashed' as const;
  const content = [{ type: 'text' as const, text: INTERRUPTED }];
  const durationMs = Math.max(0, at - startedAt);
  const result = { id: toolCallId, name, plugin, outcome, isError: true, content, text: INTERRUPTED, durationMs };
  return { type: 'tool-call-end', toolCallId, name, outcome, result };
}

function complete(history: readonly HistoryMessage[], { ended, text }: CutTurn): HistoryMessage[] {
  const last = history.at(-1);
  const results = callsIn(last).flatMap(({ toolCallId, toolName }) => {
    const record = ended.get(toolCallId);
    return record ? [{ type: 'tool-result' as const, toolCallId, toolName, output: toToolOutput(record) }] : [];
  });
  const added: HistoryMessage[] = results.length > 0 ? [{ role: 'tool', content: results }] : [];
  if (last?.role !== 'assistant' && text.trim() !== '') added.push(assistantMessage(text));
  return repairHistory([...history, ...added]);
}
