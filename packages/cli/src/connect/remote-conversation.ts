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
    get pageUrl() {
      return `${url}/#/session/${encodeURIComponent(at.id)}`;
    },
    resumeCommand: `toolpost chat --connect ${url} --resume`,
    tools: () => client.tools(at.id),
    plugins: () => client.plugins(),
    reloadPlugins: () => client.reloadPlugins(),
    why: (name) => client.why(name, at.id),
    providers: async () => (await client.models()).providers,
    async setModel(spec) {
      place.session = { ...place.session, model: (await client.setModel(at.id, spec)).model ?? spec };
      model = undefined;
    },
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
    sendUiAction: (actionId, options) => new RemoteTurn(at, { actionId }, options).run(),
    watch: (options) => new RemoteTurn(at, undefined, options).watch(options),
  };
}

function sessionAt(server: ServerAccess, { id, position, lastSeq, isRunning }: ApiSessionDetail): RemoteSession {
  const epoch = position.slice(0, position.lastIndexOf(':'));
  return { server, id, epoch, seq: lastSeq, isTurnOpen: isRunning, isConnected: true };
}

/** Reads what is stored up to where the session was when it was chosen; keeps no more than is shown. */
async function readFormerTurns(session: RemoteSession, count: number): Promise<FormerTurns> {
  const { server, id, seq } = session;
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
  // What runs may have begun behind what is shown: then its beginning is still to come.
  const isOpen = turns.at(-1)?.every(({ type }) => type !== 'turn-end' && type !== 'turn-error');
  session.isTurnOpen &&= isOpen === true;
  return { id, before, events: turns.flat() };
}
