import { readLog } from '@toolpost/host';
import type { Conversation } from './conversation.ts';
import { followingCalls } from './plugin-exit.ts';
import { toSessionRow } from './session-columns.ts';
import { lastTurns } from './shown-log.ts';
import { toToolRow } from './tool-columns.ts';
import type { OpenedSession } from './with-session.ts';

/** A session of this process. */
export function localConversation({ host, live, session }: OpenedSession): Conversation {
  const read = session.events.bind(session);
  return {
    get model() {
      return session.model;
    },
    roots: session.session.roots,
    resumeCommand: 'toolpost chat --resume',
    tools: async () => (await host.listTools(session.session)).tools.map(toToolRow),
    latest: async (limit) => live.list({ limit }).map(toSessionRow),
    async formerTurns(count) {
      const { afterSeq, before } = lastTurns(readLog(read), count);
      return { id: session.session.id, before, events: readLog(read, afterSeq) };
    },
    clear: () => session.clear(),
    async compact(abortSignal) {
      if (await session.compact({ abortSignal })) return undefined;
      const last = session.events({ afterSeq: session.lastSeq - 1 }).at(-1);
      return last?.type === 'warning' ? last.message : 'no summary came of it.';
    },
    async turn(text, { onEvent, notice: _none, onConnection: _never, ...options }) {
      const end = session.subscribe({ afterSeq: session.lastSeq }, followingCalls(onEvent));
      const { reason, usage } = await session.turn(text, options).finally(end);
      return { reason, usage, sessionUsage: session.usage };
    },
    // What another process runs in it is waited for by the next turn.
    joinRunning: async () => undefined,
  };
}
