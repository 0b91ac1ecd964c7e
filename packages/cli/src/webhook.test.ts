import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSessionStore, readLog, type SessionStore } from '@toolpost/host';
import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandWorld, createCommandWorld } from './fixtures/run-toolpost.ts';
import {
  channelConfig,
  freePort,
  post,
  postUntilAnswered,
  type Serving,
  serveChannel,
  startEchoModel,
} from './fixtures/webhook-world.ts';

/** TOOLPOST_CHATS=200 runs the whole of it. */
const CHATS = Number(process.env.TOOLPOST_CHATS ?? 60);

let world: CommandWorld;
let model: Awaited<ReturnType<typeof startEchoModel>>;
let port: number;
let serving: Serving | undefined;
beforeEach(async () => {
  world = createCommandWorld();
  model = await startEchoModel(600);
  port = await freePort();
});
afterEach(async () => {
  serving?.child.kill('SIGKILL');
  await serving?.exited;
  await model.close();
  rmSync(world.dir, { recursive: true, force: true });
});

const configure = (channel: string) =>
  world.write('home/config.json', { model: model.model, channels: { [channel]: channelConfig(port) } });

/** All chats at once; `onReply` hears of each reply with the number of those before it. */
async function postToAll(onReply: (count: number) => void) {
  let replies = 0;
  const chats = Array.from({ length: CHATS }, (_, index) => `chat-${index}`);
  return Promise.all(
    chats.map(async (chat) => {
      const { reply } = await postUntilAnswered({ port, chat, id: `of-${chat}`, text: `hello from ${chat}` });
      onReply(++replies);
      return { chat, reply };
    }),
  );
}

const rightReplies = () =>
  Array.from({ length: CHATS }, (_, index) => ({
    chat: `chat-${index}`,
    reply: `You said: hello from chat-${index}`,
  }));

/** What the logs of a channel's sessions say: one answer for each chat, whatever was begun and broken off. */
async function expectEachAnsweredOnce(channel: string): Promise<void> {
  const store = await openSessionStore({ ...process.env, TOOLPOST_HOME: join(world.dir, 'home') });
  try {
    const stored = store.list({ channel, limit: CHATS + 1 });
    expect(stored.length).toBe(CHATS);
    for (const { session } of stored) expect(answersIn(logOf(store, session.id))).toBe(1);
    expect(store.inbox.list(channel, 'waiting')).toEqual([]);
  } finally {
    store.close();
  }
}

const logOf = (store: SessionStore, id: string) => [...readLog((page) => store.events(id, page))];
const answersIn = (log: readonly ToolpostEvent[]) =>
  log.filter((event) => event.type === 'turn-end' && event.reason === 'completed').length;

describe.each(['webhook', 'webhook-python'])('the plugin %s under toolpost serve', (channel) => {
  it(
    `answers ${CHATS} chats at once, each once, while the plugin is killed twice and the host once`,
    async () => {
      configure(channel);
      serving = await serveChannel(world, channel);
      let kills: Promise<number> = Promise.resolve(0);
      const killPlugin = async () => {
        let pid: number | undefined;
        // The one before may just be started again.
        while (pid === undefined) pid = await serving?.pluginPid(channel);
        process.kill(pid, 'SIGKILL');
      };
      const killHost = async () => {
        serving?.child.kill('SIGKILL');
        await serving?.exited;
        serving = await serveChannel(world, channel);
      };
      const at = new Map([
        [Math.floor(CHATS * 0.1), killPlugin],
        [Math.floor(CHATS * 0.35), killHost],
        [Math.floor(CHATS * 0.7), killPlugin],
      ]);
      const answers = await postToAll((count) => {
        const kill = at.get(count);
        if (!kill) return;
        kills = kills.then(async (before) => {
          await kill();
          return before + 1;
        });
      });
      expect(await kills).toBe(3);
      expect(answers).toEqual(rightReplies());
      await expectEachAnsweredOnce(channel);
    },
    60_000 + CHATS * 1000,
  );
});

describe('the webhook', () => {
  it('is off until it is configured, and takes messages of those who have the token only', async () => {
    configure('webhook');
    serving = await serveChannel(world, 'webhook');
    const message = { method: 'POST', body: '{"text":"hi"}' };
    const unknown = await fetch(`http://127.0.0.1:${port}/chats/c/messages`, message);
    expect(unknown.status).toBe(401);
    const tools = await world.run(['tools', '--channel', 'webhook', '--json']);
    expect(tools.stdout).toContain('"webhook_status"');
    world.write('home/config.json', { model: model.model, channels: {} });
    const off = await world.run(['tools', '--channel', 'webhook', '--json']);
    expect(off.stdout).not.toContain('"webhook_status"');
  });

  /** Posts a message, and resolves once the model works on its answer, which it holds back. */
  async function beginTurn() {
    const release = model.hold();
    const message = { port, chat: 'c', id: 'm1', text: 'hello' };
    const isAsked = model.nextRequest();
    const first = post(message).catch(() => undefined);
    await isAsked;
    return { message, first, release };
  }

  async function expectAnsweredAndArrived(): Promise<void> {
    const store = await openSessionStore({ ...process.env, TOOLPOST_HOME: join(world.dir, 'home') });
    const [stored] = store.list({ channel: 'webhook' });
    expect(answersIn(logOf(store, stored?.session.id ?? ''))).toBe(1);
    for (const state of ['waiting', 'replied'] as const) expect(store.inbox.list('webhook', state)).toEqual([]);
    store.close();
  }

  it('answers a message that it was stopped over when it is started again, and never a second time', async () => {
    configure('webhook');
    serving = await serveChannel(world, 'webhook', ['--grace', '1ms']);
    const { message, first, release } = await beginTurn();
    serving.child.kill('SIGINT');
    await serving.exited;
    expect(await first).toBeUndefined();
    release();
    serving = await serveChannel(world, 'webhook');
    expect((await postUntilAnswered(message)).reply).toBe('You said: hello');
    expect((await postUntilAnswered(message)).reply).toBe('You said: hello');
    serving.child.kill('SIGINT');
    await serving.exited;
    await expectAnsweredAndArrived();
  });

  it('gives the reply of a turn that ends while it stops to who waits for it, and has nothing left to deliver', async () => {
    configure('webhook');
    serving = await serveChannel(world, 'webhook');
    const { first, release } = await beginTurn();
    serving.child.kill('SIGINT');
    await expect.poll(() => serving?.stderr()).toContain('finishing 1 turns');
    release();
    const answer = await first;
    expect(answer?.status).toBe(200);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ reply: 'You said: hello' });
    await serving.exited;
    await expectAnsweredAndArrived();
  });
});
