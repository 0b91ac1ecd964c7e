import type { apiSessionSchema } from '@toolpost/protocol/schemas';
import type { z } from 'zod';
import type { LiveSession } from '../live-sessions/live-session.ts';
import type { StoredSession } from '../sessions/session-store.ts';
import { openMessagesOf } from './accept-turn.ts';
import { positionOf } from './log-position.ts';

type ApiSession = z.output<typeof apiSessionSchema>;

/** A stored session as clients see it. `openTurns` are those of this host. */
export function describeSession(stored: StoredSession, openTurns = 0): ApiSession {
  const { session, title, model, createdAt, updatedAt, epoch, lastSeq, openTurn } = stored;
  return {
    id: session.id,
    channel: session.channel,
    chatId: session.chatId,
    user: session.user,
    roots: [...session.roots],
    ...(session.readOnlyRoots && { readOnlyRoots: [...session.readOnlyRoots] }),
    title,
    ...(model !== undefined && { model }),
    createdAt,
    updatedAt,
    isRunning: openTurns > 0 || openTurn?.isRunning === true,
    position: positionOf(epoch, lastSeq),
    lastSeq,
  };
}

/** With what only an open session tells. */
export function describeOpen(live: LiveSession, stored: StoredSession) {
  return {
    ...describeSession({ ...stored, session: live.session }, live.openTurns),
    model: live.model,
    usage: live.usage,
    openTurns: live.openTurns,
    openMessages: openMessagesOf(live),
  };
}
