import type {
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';

/** One message of a conversation, as the AI SDK's providers take it. */
export type HistoryMessage = LanguageModelV4Message;
export type AssistantMessage = Extract<HistoryMessage, { role: 'assistant' }>;
export type ToolMessage = Extract<HistoryMessage, { role: 'tool' }>;
type UserMessage = Extract<HistoryMessage, { role: 'user' }>;

/** What the model, and a client, reads of a call that never came to an end. */
export const INTERRUPTED =
  'This call was interrupted before it gave a result. It may have had effects: look before you make it again.';

export function userMessage(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text: text.toWellFormed() }] };
}

export function assistantMessage(text: string): AssistantMessage {
  return { role: 'assistant', content: [{ type: 'text', text: text.toWellFormed() }] };
}

/** The result of a call that never came to an end. */
export function interruptedResult({
  toolCallId,
  toolName,
}: Pick<LanguageModelV4ToolCallPart, 'toolCallId' | 'toolName'>) {
  const output = { type: 'error-text', value: INTERRUPTED } as const;
  return { type: 'tool-result', toolCallId, toolName, output } as const satisfies LanguageModelV4ToolResultPart;
}

/**
 * Makes any history one that every provider takes, losing no text: each call is followed by its one result, in the
 * order of the calls (a missing one says that it was interrupted), results and calls that answer nothing or repeat
 * an id go, messages of one role in a row become one, and empty ones go. A host that was killed in the middle of a
 * call leaves such a history behind; what `runTurn` returns needs no repair. Returns a new array.
 */
export function repairHistory(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const repaired: HistoryMessage[] = [];
  const seenIds = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      keepAwaitedResults(repaired, message);
      continue;
    }
    answerOpenCalls(repaired);
    const kept = withoutEmptyParts(message, seenIds);
    if (kept) appendOrMerge(repaired, kept);
  }
  answerOpenCalls(repaired);
  return repaired;
}

/** The calls of the last assistant message for which no result stands behind it yet. */
function openCalls(history: readonly HistoryMessage[]): LanguageModelV4ToolCallPart[] {
  const last = history.at(-1);
  const results = last?.role === 'tool' ? last.content : [];
  const assistant = last?.role === 'tool' ? history.at(-2) : last;
  const answered = new Set(results.map((part) => (part.type === 'tool-result' ? part.toolCallId : '')));
  return callsIn(assistant).filter(({ toolCallId }) => !answered.has(toolCallId));
}

/** The calls that a message makes. */
export function callsIn(message: HistoryMessage | undefined): LanguageModelV4ToolCallPart[] {
  if (message?.role !== 'assistant') return [];
  return message.content.filter((part) => part.type === 'tool-call');
}

function keepAwaitedResults(history: HistoryMessage[], message: ToolMessage): void {
  const awaited = new Map(openCalls(history).map((call) => [call.toolCallId, call]));
  const results = message.content.filter((part) => part.type === 'tool-result' && awaited.delete(part.toolCallId));
  if (results.length > 0) addResults(history, results);
}

function answerOpenCalls(history: HistoryMessage[]): void {
  const open = openCalls(history);
  if (open.length > 0) addResults(history, open.map(interruptedResult));
}

/** Adds results behind the last assistant message, in the order of its calls. */
function addResults(history: HistoryMessage[], results: ToolMessage['content']): void {
  const last = history.at(-1);
  const all = last?.role === 'tool' ? [...last.content, ...results] : results;
  if (last?.role === 'tool') history.pop();
  const order = callsIn(history.at(-1)).map(({ toolCallId }) => toolCallId);
  const place = (part: ToolMessage['content'][number]) => ('toolCallId' in part ? order.indexOf(part.toolCallId) : -1);
  history.push({ role: 'tool', content: all.toSorted((a, b) => place(a) - place(b)) });
}

function withoutEmptyParts(
  message: Exclude<HistoryMessage, { role: 'tool' }>,
  seenIds: Set<string>,
): Exclude<HistoryMessage, { role: 'tool' }> | undefined {
  if (message.role === 'system') return message.content.trim() === '' ? undefined : message;
  if (message.role === 'user') {
    const content = message.content.map(wellFormed).filter((part) => part.type !== 'text' || part.text.trim() !== '');
    return content.length > 0 ? { ...message, content } : undefined;
  }
  const content = message.content.map(wellFormed).filter((part) => {
    if (part.type === 'text') return part.text.trim() !== '';
    return part.type !== 'tool-call' || (!seenIds.has(part.toolCallId) && seenIds.add(part.toolCallId));
  });
  return content.some((part) => part.type !== 'reasoning') ? { ...message, content } : undefined;
}

/** One lone surrogate makes a provider refuse the whole history. */
function wellFormed<Part extends { type: string }>(part: Part): Part {
  if (!('text' in part) || typeof part.text !== 'string' || part.text.isWellFormed()) return part;
  return { ...part, text: part.text.toWellFormed() };
}

function appendOrMerge(history: HistoryMessage[], message: HistoryMessage): void {
  const last = history.at(-1);
  if (message.role === 'user' && last?.role === 'user') {
    history[history.length - 1] = { ...last, content: [...last.content, ...message.content] };
  } else if (message.role === 'assistant' && last?.role === 'assistant') {
    history[history.length - 1] = { ...last, content: [...last.content, ...message.content] };
  } else {
    history.push(message);
  }
}
