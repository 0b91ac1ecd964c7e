import type { ApiSessionDetail, ToolpostEvent } from '@toolpost/protocol';
import type { Conversation, FormerTurns } from '../conversation.ts';
import { findRemote } from './choose-session.ts';
import { type RemoteSession, RemoteTurn } from './remote-turn.ts';
import type { ServerAccess } from './server-access.ts';

/** Where a conversation with a server is: it may go on in another session. */
export interface RemotePlace {
  session: ApiSessionDetail;
}

export interface RemoteOptions {
  /** As it was typed: it goes with each turn. */
  readonly model: string | undefined;
  /** Forgets the session that is left when nothing was said in it. */
  leave(): Promise<void>;
}

/** Sessions of a server, one at a time. */
export function remoteConversation(
  server: ServerAccess,
  place: RemotePlace,
  { model: typed, leave }: RemoteOptions,
): Conversation {
  const { client, url } = server;
  let model = typed;
  let at = sessionAt(server, place.session);
  const enter = async (next: ApiSessionDetail) => {
    if (next.id !== at.id) await leave();
    place.session = next;
    at = sessionAt(server, next);
  };
  return {
    get id() {
      return at.id;
    },
    get model() {
      return model ?? place.session.model ?? '';
    },
    get roots() {
      return place.session.roots;
    },
    resumeCommand: `toolpost chat --connect ${url} --resume`,
    tools: () => client.tools(at.id),
    plugins: () => client.plugins(),
    why: (name) => client.why(name, at.id),
    providers: async () => (await client.models()).providers,
    async setModel(spec) {
      place.session = { ...place.session, model: (await client.setModel(at.id, spec)).model ?? spec };
      model = undefined;
    },
    // The files are where the server is.
    findFiles: async () => [],
    async startNew() {
      const { channel, roots } = place.session;
      await enter(await client.createSession({ channel, roots, ...(model !== undefined && { model }) }));
    },
    switchTo: async (id) => enter(await findRemote(client, id)),
    fork: async () => enter(await client.forkSession(at.id)),
    async rename(title) {
      await client.renameSession(at.id, title);
    },
    latest: async (limit) => (await client.listSessions({ limit })).sessions.map((one) => ({ ...one, tenant: '' })),
    formerTurns: (count) => readFormerTurns(at, count),
    clear: () => client.clearSession(at.id),
    async compact() {
      if (await client.compactSession(at.id)) return undefined;
      return 'no summary came of it; a warning in its log says why.';
    },
    turn: (text, options) => new RemoteTurn(at, { text, model }, options).run(),
    async joinRunning(options) {
      const { openTurns, isRunning } = await client.getSession(at.id);
      return openTurns > 0 || isRunning ? new RemoteTurn(at, undefined, options).run() : undefined;
    },
  };
}

function sessionAt(server: ServerAccess, { id, position, lastSeq }: ApiSessionDetail): RemoteSession {
  return { server, id, epoch: position.slice(0, position.lastIndexOf(':')), seq: lastSeq };
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
