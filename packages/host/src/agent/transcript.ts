import type { HistoryMessage } from './history.ts';
import { textOf } from './shrink-results.ts';

const MAX_RESULT_CHARS = 1500;
const MAX_CALL_CHARS = 1000;
const HEAD_SHARE = 0.25;

/**
 * A history as one text of at most `maxChars`, for a model that is to summarise it. Results are cut short, and the
 * middle gives way when all is still too long: the beginning says what is wanted, the end where it stands.
 */
export function toTranscript(messages: readonly HistoryMessage[], maxChars: number): string {
  return cutMiddle(messages.map(describe).join('\n\n'), maxChars);
}

function describe(message: HistoryMessage): string {
  if (message.role === 'system') return `System: ${message.content}`;
  const name = { user: 'User', assistant: 'Agent', tool: 'Result' }[message.role];
  const lines: string[] = [];
  for (const part of message.content) {
    if (part.type === 'text') lines.push(`${name}: ${part.text}`);
    else if (part.type === 'tool-call')
      lines.push(`Call of ${part.toolName}: ${cutMiddle(JSON.stringify(part.input), MAX_CALL_CHARS)}`);
    else if (part.type === 'tool-result')
      lines.push(`Result of ${part.toolName}: ${cutMiddle(textOf(part.output), MAX_RESULT_CHARS)}`);
  }
  return lines.join('\n');
}

function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const left = text.length - maxChars;
  return `${text.slice(0, head)}\n[... ${left} characters left out ...]\n${text.slice(head + left)}`.toWellFormed();
}
