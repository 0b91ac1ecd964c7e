import type { HistoryMessage } from './history.ts';

type UserContent = Extract<HistoryMessage, { role: 'user' }>['content'];

const SUMMARY_INTRODUCTION =
  'The conversation became too long for you, so its older part was replaced by this summary, which you wrote yourself:';
const REQUEST_INTRODUCTION = 'The request that you are working on, in the words of the user:';
/** A request that is itself a large part of the context is in the summary only. */
const MAX_REQUEST_CHARS = 20_000;

export interface HistoryParts {
  readonly older: readonly HistoryMessage[];
  /** Stays as it is: empty when even the last exchange is larger than the space. */
  readonly recent: readonly HistoryMessage[];
}

/**
 * Cuts a valid history into an older part and a recent one of at most `recentChars`, always before a message of the
 * user or the model and never between calls and their results.
 */
export function splitHistory(
  messages: readonly HistoryMessage[],
  recentChars: number,
  charsOf: (messages: readonly HistoryMessage[]) => number,
): HistoryParts {
  // What the user has just said is never summarised away.
  let cut = messages.at(-1)?.role === 'user' ? messages.length - 1 : messages.length;
  for (let index = cut - 1; index > 0; index--) {
    if (charsOf(messages.slice(index)) > recentChars) break;
    if (messages[index]?.role !== 'tool') cut = index;
  }
  return { older: messages.slice(0, cut), recent: messages.slice(cut) };
}

/** The history with its older part replaced by a summary. The request that is being worked on stays in its words. */
export function joinSummary(summary: string, { older, recent }: HistoryParts): HistoryMessage[] {
  const opening: UserContent = [{ type: 'text', text: `${SUMMARY_INTRODUCTION}\n\n${summary}` }];
  const [first, ...others] = recent;
  if (first?.role === 'user') return [{ role: 'user', content: [...opening, ...first.content] }, ...others];
  const request = recent.some(({ role }) => role === 'user') ? undefined : lastRequest(older);
  if (request) opening.push({ type: 'text', text: `${REQUEST_INTRODUCTION}\n\n${request}` });
  return [{ role: 'user', content: opening }, ...recent];
}

/** A message that joins a summary and requests ends with the last of these. */
function lastRequest(messages: readonly HistoryMessage[]): string | undefined {
  const message = messages.findLast(({ role }) => role === 'user');
  const text = message?.role === 'user' ? message.content.findLast((part) => part.type === 'text')?.text : undefined;
  if (text === undefined || text.length > MAX_REQUEST_CHARS || text.startsWith(SUMMARY_INTRODUCTION)) return undefined;
  return text.startsWith(REQUEST_INTRODUCTION) ? text.slice(REQUEST_INTRODUCTION.length).trimStart() : text;
}
