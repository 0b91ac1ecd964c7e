import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHost, openLiveSessions, openSessionStore, type SessionStore, serve } from '@toolpost/host';
import { createApiClient } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteConversation } from './connect/remote-conversation.ts';
import type { Conversation } from './conversation.ts';
import { localConversation } from './local-conversation.ts';

interface Place {
  readonly conversation: Conversation;
  readonly store: SessionStore;
  readonly root: string;
}

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A home, a root with a file, and a host on them. */
async function openHome() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolpost-conversation-')));
  const [home, root] = [join(dir, 'home'), join(dir, 'root')];
  for (const path of [home, root]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(root, 'letter.txt'), '');
  const environment = { TOOLPOST_HOME: home };
  const store = await openSessionStore(environment);
  const host = await createHost({ environment, roots: [root] });
  const live = await openLiveSessions({ host, store, environment });
  closing.push(
    () => store.close(),
    () => host.close(),
    () => live.close(),
  );
  return { host, store, live, root, environment };
}

async function openLocal(): Promise<Place> {
  const { host, store, live, root } = await openHome();
  let session = await live.open({ channel: 'cli', roots: [root], model: 'demo' });
  const opened = {
    ...{ host, store, live, isKept: true },
    get session() {
      return session;
    },
    async enter(next: typeof session) {
      session = next;
    },
  };
  return { conversation: localConversation(opened), store, root };
}

async function openRemote(): Promise<Place> {
  const { host, store, live, root, environment } = await openHome();
  const token = 'the-token-of-the-operator';
  const server = await serve({ host, store, sessions: live, token, port: 0, servesClient: false, environment });
  closing.push(() => server.close());
  const client = createApiClient({ baseUrl: server.url, token, environment: globalThis });
  const place = { session: await client.createSession({ channel: 'cli' }) };
  const access = { url: server.url, client, renewsToken: false };
  return { conversation: remoteConversation(access, place, { model: 'demo', leave: async () => {} }), store, root };
}

async function say(conversation: Conversation, text: string): Promise<string> {
  let heard = '';
  await conversation.turn(text, {
    abortSignal: new AbortController().signal,
    onEvent: (event) => {
      if (event.type === 'turn-end') heard = event.text;
    },
    ...{ notice: () => {}, approve: undefined, ask: undefined, timeoutMs: undefined },
  });
  return heard;
}

async function saidIn(conversation: Conversation): Promise<string[]> {
  const { events } = await conversation.formerTurns(10);
  return [...events].flatMap((event) => (event.type === 'turn-start' ? [event.text] : []));
}

describe.each([
  ['of this process', openLocal],
  ['with a server', openRemote],
])('a conversation %s', (_, open) => {
  let place: Place;
  let conversation: Conversation;

  beforeEach(async () => {
    place = await open();
    ({ conversation } = place);
  });

  it('goes on in a new session of the same roots, and back to the one before by the beginning of its id', async () => {
    const first = conversation.id;
    await say(conversation, 'one');
    await conversation.startNew();
    const second = conversation.id;
    expect([second === first, conversation.roots, await saidIn(conversation)]).toEqual([false, [place.root], []]);
    await say(conversation, 'two');
    await conversation.switchTo(first.slice(0, 18));
    expect([conversation.id, await saidIn(conversation)]).toEqual([first, ['one']]);
    await say(conversation, 'three');
    expect(await saidIn(conversation)).toEqual(['one', 'three']);
    await expect(conversation.switchTo('0000000')).rejects.toThrow('there is no session "0000000"');
    expect(conversation.id).toBe(first);
  });

  it('goes on in a copy, and the session stays as it is', async () => {
    const first = conversation.id;
    await say(conversation, 'one');
    await conversation.fork();
    await say(conversation, 'two');
    expect(await saidIn(conversation)).toEqual(['one', 'two']);
    expect(place.store.events(first).filter(({ type }) => type === 'turn-start')).toHaveLength(1);
  });

  it('has another title, that lists show', async () => {
    await conversation.rename('A plan');
    expect(await conversation.latest(5)).toMatchObject([{ id: conversation.id, title: 'A plan' }]);
  });

  it('takes another model only when it can be used, and keeps it with the session', async () => {
    await expect(conversation.setModel('nonsense')).rejects.toThrow('nonsense');
    expect(conversation.model).toBe('demo');
    await conversation.setModel('openai-compatible:small@http://127.0.0.1:9/v1');
    expect(conversation.model).toBe('openai-compatible:small@http://127.0.0.1:9/v1');
    expect(place.store.get(conversation.id)?.model).toBe('openai-compatible:small@http://127.0.0.1:9/v1');
    expect(await conversation.providers()).toContainEqual(expect.objectContaining({ id: 'demo', isReady: true }));
  });

  it('tells of its plugins, and why a tool is there or not', async () => {
    expect(await conversation.plugins()).toEqual([]);
    expect(await conversation.why('read')).toMatchObject({ visible: true, candidates: [{ plugin: 'builtin' }] });
    expect(await conversation.why('raed')).toMatchObject({ visible: false, similar: expect.arrayContaining(['read']) });
  });
});

it('where browsers show it is known of a server, and of the session that it goes on in', async () => {
  expect((await openLocal()).conversation.pageUrl).toBeUndefined();
  const { conversation } = await openRemote();
  const first = conversation.id;
  await conversation.startNew();
  expect(conversation.id).not.toBe(first);
  expect(conversation.pageUrl).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#/session/${conversation.id}$`));
});

it('files are found where they are this machine’s', async () => {
  const options = { limit: 5, abortSignal: new AbortController().signal };
  expect(await (await openLocal()).conversation.findFiles?.('let', options)).toEqual(['letter.txt']);
  expect((await openRemote()).conversation.findFiles).toBeUndefined();
});

it('a session of other roots is gone on with where it was held', async () => {
  const { conversation, store, root } = await openLocal();
  const elsewhere = {
    id: 'session-elsewhere',
    tenant: '',
    channel: 'cli',
    chatId: 'x',
    user: '',
    roots: [join(root, '..')],
  };
  store.create(elsewhere, {});
  await expect(conversation.switchTo('session-elsewhere')).rejects.toThrow('toolpost chat --resume session-elsewhere');
});
