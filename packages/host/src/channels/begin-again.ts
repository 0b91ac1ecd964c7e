import type { SessionStore } from '../sessions/session-store.ts';
import { textOfContent } from './chat-sessions.ts';
import type { EarlierTurns } from './earlier-turns.ts';

/** Said in place of the message, where its work is to go on. */
export const GO_ON = 'The host was ended while it worked on my last message. Go on from there, and answer it.';

export interface BrokenOff extends EarlierTurns {
  readonly sessionId: string;
  /** The message as the conversation has it. */
  readonly kept: string;
}

/**
 * What the agent is told when the turn of a message was broken off; undefined: the message again. Where nothing was done
 * in it but talk, the turn is taken out of the conversation, so that the message does not stand there twice; where tools
 * have run, it goes on, however often it was broken off.
 */
export function beginAgain(
  store: SessionStore,
  { sessionId, kept, hasBegun, hasCalled }: BrokenOff,
): typeof GO_ON | undefined {
  if (hasCalled) return GO_ON;
  if (!hasBegun) return undefined;
  const history = store.history(sessionId);
  const start = history.findLastIndex(({ role }) => role === 'user');
  const last = history[start];
  if (last && textOfContent(last.content) === kept)
    store.append([{ sessionId, entries: [{ type: 'history', messages: history.slice(0, start) }] }]);
  return undefined;
}
