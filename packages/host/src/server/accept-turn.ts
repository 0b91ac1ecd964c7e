import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AcceptedTurn } from '@toolpost/protocol';
import type { LiveSession, LiveTurnOptions } from '../live-sessions/live-session.ts';
import { positionOf } from './log-position.ts';
import { Problem } from './problem.ts';
import { assertTakesWork, type ServerParts } from './server-parts.ts';

/** What waits is kept in memory. */
const MAX_WAITING_TURNS = 100;

export interface AskedTurn extends Pick<LiveTurnOptions, 'model' | 'timeoutMs' | 'turnId' | 'uiAction'> {
  readonly text: string;
}

export interface OpenMessage {
  readonly turnId: string;
  readonly text: string;
}

const openMessages = new WeakMap<LiveSession, Set<OpenMessage>>();

/** What was asked for here under a name of the client's, and has not ended: a page that is opened now shows it too. */
export function openMessagesOf(live: LiveSession): readonly OpenMessage[] {
  return [...(openMessages.get(live) ?? [])];
}

/** @throws Problem SERVER_BUSY when too many turns wait already, CONNECTION_CLOSED once the server is closing. */
export function assertTakesTurn(parts: ServerParts, { openTurns }: LiveSession): void {
  assertTakesWork(parts);
  if (openTurns < MAX_WAITING_TURNS) return;
  throw new Problem(429, 'SERVER_BUSY', `${openTurns} turns wait in this session already: ask when they have ended`);
}

/** Begins a turn whose questions go to the session's clients. What happens in it comes as events. */
export async function acceptTurn(
  parts: ServerParts,
  live: LiveSession,
  { text, timeoutMs, ...asked }: AskedTurn,
): Promise<AcceptedTurn> {
  assertTakesTurn(parts, live);
  const { epoch, lastSeq, openTurns, session } = live;
  const limitMs = Math.min(timeoutMs ?? parts.timeoutMs, parts.timeoutMs);
  const turn = live.turn(text, { approve: 'clients', ask: 'clients', ...asked, timeoutMs: limitMs });
  keepOpen(live, turn, { text, turnId: asked.turnId });
  turn.catch((error: Error) => parts.warn(`a turn of session ${session.id} could not run: ${error.message}`));
  // What fails at once is the answer, since no event will tell of it: the disk is full, say.
  await Promise.race([turn, nextTurn()]);
  return { sessionId: session.id, seq: lastSeq, position: positionOf(epoch, lastSeq), turnsBefore: openTurns };
}

type Asked = Pick<AskedTurn, 'text' | 'turnId'>;

function keepOpen(live: LiveSession, turn: Promise<unknown>, { text, turnId }: Asked): void {
  if (turnId === undefined) return;
  const message = { turnId, text };
  const open = openMessages.get(live) ?? new Set<OpenMessage>();
  openMessages.set(live, open.add(message));
  const end = () => open.delete(message);
  turn.then(end, end);
}
