import type { ApiSessionDetail, ToolpostEvent } from '@toolpost/protocol';
import type { Conversation, FormerTurns } from '../conversation.ts';
import { type RemoteSession, RemoteTurn } from './remote-turn.ts';
import type { ServerAccess } from './server-access.ts';

/** A session of a server. `model` is what was typed: it goes with each turn. */
export function remoteConversation(
  server: ServerAccess,
  detail: ApiSessionDetail,
  model: string | undefined,
): Conversation {
  const { client, url } = server;
  const { id, position, lastSeq } = detail;
  const session: RemoteSession = { server, id, epoch: position.slice(0, position.lastIndexOf(':')), seq: lastSeq };
  return {
    model: model ?? detail.model ?? '',
    roots: detail.roots,
    resumeCommand: `toolpost chat --connect ${url} --resume`,
    tools: () => client.tools(id),
    latest: async (limit) => (await client.listSessions({ limit })).sessions.map((one) => ({ ...one, tenant: '' })),
    formerTurns: (count) => readFormerTurns(session, count),
    clear: () => client.clearSession(id),
    async compact() {
      if (await client.compactSession(id)) return undefined;
      return 'no summary came of it; a warning in its log says why.';
    },
    turn: (text, options) => new RemoteTurn(session, { text, model }, options).run(),
    async joinRunning(options) {
      const { openTurns, isRunning } = await client.getSession(id);
      return openTurns > 0 || isRunning ? new RemoteTurn(session, undefined, options).run() : undefined;
    },
  };
}

/** Reads what is stored up to where the session was when it was chosen; keeps no more than is shown. */
async function readFormerTurns({ server, id, seq }: RemoteSession, count: number): Promise<FormerTurns> {
  const turns: ToolpostEvent[][] = [];
  let before = 0;
  const end = new AbortController();
  if (seq > 0)
    await server.client.follow({
      ...{ sessionId: id, signal: end.signal },
      onEvent(event) {
        if (event.seq > seq) return;
        if (event.type === 'turn-start' || turns.length === 0) turns.push([]);
        turns.at(-1)?.push(event);
        if (turns.length > count) {
          turns.shift();
          before += 1;
        }
        if (event.seq === seq) end.abort();
      },
    });
  return { id, before, events: turns.flat() };
}
