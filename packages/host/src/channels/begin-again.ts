import type { SessionStore } from '../sessions/session-store.ts';
import { textOfContent } from './chat-sessions.ts';

/** Said in place of the message, where its work is to go on. */
export const GO_ON = 'The host was ended while it worked on my last message. Go on from there, and answer it.';

/**
 * What the agent is told when the turn of a message was broken off; undefined: the message again. Where nothing was done in it but talk, the turn is
 * taken out of the conversation, so that the message does not stand there twice; where tools have run, it goes on.
 * @param kept - the message as the conversation has it
 */
export function beginAgain(store: SessionStore, sessionId: string, kept: string): typeof GO_ON | undefined {
  const history = store.history(sessionId);
  const start = history.findLastIndex(({ role }) => role === 'user');
  const last = history[start];
  if (!last || textOfContent(last.content) !== kept) return undefined;
  const done = history.slice(start + 1);
  const hasRun = done.some(({ role, content }) => role === 'tool' || callsIn(content));
  if (hasRun) return GO_ON;
  store.append([{ sessionId, entries: [{ type: 'history', messages: history.slice(0, start) }] }]);
  return undefined;
}

function callsIn(content: unknown): boolean {
  return Array.isArray(content) && content.some((part: { type?: unknown }) => part.type === 'tool-call');
}
