import type { LanguageModelV4ToolResultOutput, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { HistoryMessage, ToolMessage } from './history.ts';

/** The last messages keep their results whole, older ones up to this size (section 12 of the reference). */
const WHOLE_MESSAGES = 10;
const MAX_KEPT_BYTES = 2000;

/** Keeps a text where the model can read it again; returns the file, undefined when it cannot be kept. */
export type KeepText = (toolCallId: string, text: string) => string | undefined;

/** The history with its old large results shrunk to a line each, and how many these were. */
export function shrinkOldResults(
  messages: readonly HistoryMessage[],
  keepText: KeepText = () => undefined,
): { messages: HistoryMessage[]; count: number } {
  let count = 0;
  const shrink = (part: ToolMessage['content'][number]) => {
    if (part.type !== 'tool-result' || !isLarge(part.output)) return part;
    count++;
    return shrunk(part, keepText);
  };
  const recent = messages.length - WHOLE_MESSAGES;
  const result = messages.map((message, index) =>
    message.role === 'tool' && index < recent ? { ...message, content: message.content.map(shrink) } : message,
  );
  return { messages: result, count };
}

function isLarge(output: LanguageModelV4ToolResultOutput): boolean {
  const text = textOf(output);
  const files = output.type === 'content' ? output.value.filter(({ type }) => type === 'file').length : 0;
  return files > 0 || Buffer.byteLength(text) > MAX_KEPT_BYTES;
}

function shrunk(part: LanguageModelV4ToolResultPart, keepText: KeepText): LanguageModelV4ToolResultPart {
  const text = textOf(part.output);
  const file = text === '' ? undefined : keepText(part.toolCallId, text);
  const lines = [
    `[Tool result truncated: ${text.length} chars]`,
    ...(file === undefined ? [] : [`The whole text is in ${file}.`]),
    ...filesOf(part.output).map((mediaType) => `A ${mediaType} file that stood here was left out.`),
  ];
  const isError = part.output.type === 'error-text' || part.output.type === 'error-json';
  return { ...part, output: { type: isError ? 'error-text' : 'text', value: lines.join('\n') } };
}

/** What the model read of a result. */
export function textOf(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'execution-denied':
      return output.reason ?? '';
    case 'content':
      return output.value.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
    default:
      return JSON.stringify(output.value);
  }
}

function filesOf(output: LanguageModelV4ToolResultOutput): string[] {
  if (output.type !== 'content') return [];
  return output.value.flatMap((item) => (item.type === 'file' ? [item.mediaType] : []));
}
