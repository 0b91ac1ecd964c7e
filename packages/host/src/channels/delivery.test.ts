import { existsSync } from 'node:fs';
import type { EventBody, JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import type { HistoryMessage } from '../agent/history.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import type { LogEntry, StoredSession } from '../sessions/session-store.ts';
import { GO_ON } from './begin-again.ts';
import { textOfContent } from './chat-sessions.ts';
import { useChannelScene } from './fixtures/channel-scene.ts';
import { addPuppet, ask, play, type Received, until } from './fixtures/puppet.ts';

const scene = useChannelScene();
const SIGNUP = `import { defineTool } from '@toolpost/sdk';
export default defineTool({ name: 'newsletter_signup', description: 'The newsletter signup.',
  execute: async (_input, { ask }) => (await ask({ message: 'Your name?', schema: { type: 'object' } })).action });`;
const ACCEPTING = { provider: { accepts_replies: true, answers_asks: true } };
const isReply = ({ type }: Received) => type === 'text';
const inbound = (id: string, params: JsonObject) => ({
  ...{ id, method: 'send_inbound' },
  params: { chat_id: 'c', content: 'hello', sender_id: 'ann', ...params },
});

/** A message of the chat `c` of channel `p`, as an earlier host has acknowledged it. */
function keep(content = 'hello', requestId = 'r'): number {
  const message = { tenant: '', channel: 'p', chatId: 'c', requestId, user: 'p:ann', content };
  const pk = scene().store.inbox.add(message, 10)?.message.pk;
  if (pk === undefined) throw new Error('the inbox is full');
  return pk;
}

/** The session of that chat, as an earlier host has left it. */
function leave(user: string, entries: readonly LogEntry[] = []): StoredSession {
  const key = { tenant: '', channel: 'p', chatId: 'c', user };
  const { session } = scene().store.create({ ...key, id: 'the-session', roots: [] });
  scene().store.append([{ sessionId: session.id, entries }]);
  const stored = scene().store.get(session.id);
  if (!stored) throw new Error('it is not there');
  return stored;
}

const event = (body: EventBody): LogEntry => ({ type: 'event', body, at: 1 });
const message = (given: HistoryMessage): LogEntry => ({ type: 'message', message: given });
const begun = (text: string) => [
  event({ type: 'turn-start', text }),
  message({ role: 'user', content: [{ type: 'text', text }] }),
];

/** What the user has said in it, by its history. */
const said = (sessionId = 'the-session') =>
  scene()
    .store.history(sessionId)
    .flatMap(({ role, content }) => (role === 'user' ? [textOfContent(content)] : []));

async function accept(reply: Received) {
  const params = { reply_id: reply.metadata?.reply_id };
  return (await ask(scene().host, 'p', { id: 'accept', method: 'accept_reply', params })).result;
}

/** A turn of chat `c` that asks its form. */
async function beginAsking() {
  scene().world.addNative('signup', SIGNUP);
  addPuppet(scene().world, 'p', ACCEPTING);
  await scene().serve({ p: { enabled: true } }, { permissions: { allow: ['newsletter_signup'] } });
  await ask(scene().host, 'p', inbound('1', { content: 'newsletter signup' }));
  return until(scene().host, 'p', ({ type }) => type === 'ask_user');
}

const serveAgain = async () => {
  await scene().serve({ p: { enabled: true } }, { permissions: { allow: ['newsletter_signup'] } });
  await until(scene().host, 'p', ({ type }) => type === 'channel_config');
};

describe('a reply', () => {
  test('stays for the next life of a plugin that dies before it has read it, also one that confirms nothing', async () => {
    addPuppet(scene().world, 'p');
    scene().world.write('plugins/p/dies-once', 'channel_config');
    const pk = keep();
    scene().store.inbox.answer(pk, { text: 'the reply', reason: 'completed' });
    await scene().serve({ p: { enabled: true } });
    expect(await until(scene().host, 'p', isReply)).toMatchObject({ content: 'the reply' });
    await expect.poll(() => scene().store.inbox.get(pk)?.state).toBe('done');
  });
});

describe('a plugin that is killed', () => {
  test.each(['rpc_response', 'text'])('as it reads %s has its message answered in one turn, once', async (type) => {
    addPuppet(scene().world, 'p', ACCEPTING);
    await scene().serve({ p: { enabled: true } });
    scene().world.write('plugins/p/dies-once', type);
    await play(scene().host, 'p', { lines: [inbound('1', { request_id: 'r' })] });
    await expect.poll(() => existsSync(`${scene().world.pluginsDir}/p/dies-once`)).toBe(false);
    const reply = await until(scene().host, 'p', isReply);
    const again = await ask(scene().host, 'p', inbound('2', { request_id: 'r' }));
    expect(again.result).toMatchObject({ duplicate: true, reply: { text: reply.content } });
    expect(await accept(reply)).toEqual({ accepted: true });
    expect((await play(scene().host, 'p')).filter(isReply)).toHaveLength(1);
    const [stored] = scene().store.list({ channel: 'p' });
    const events = scene().store.events(stored?.session.id ?? '');
    expect(events.filter(({ type: one }) => one === 'turn-start')).toHaveLength(1);
  });
});

describe('a channel that another process serves', () => {
  test('hears that its messages are not taken, and is started again when they are', async () => {
    const other = createSessionStore(scene().world.homeDir);
    try {
      expect(other.inbox.claimChannel('p')).toBe(true);
      addPuppet(scene().world, 'p');
      await scene().serve({ p: { enabled: true } });
      expect((await play(scene().host, 'p'))[1]?.metadata).toMatchObject({ serving: 'false' });
      expect((await ask(scene().host, 'p', inbound('1', {}))).error).toContain('does not serve the channel "p"');
      const told = scene().world.warnings.filter((one) => one.includes('another process of this home serves it'));
      expect(told).toHaveLength(1);
      other.inbox.releaseChannel('p');
      await until(scene().host, 'p', ({ metadata }) => metadata?.serving === 'true');
      await expect.poll(() => scene().started).toEqual(['p']);
      await ask(scene().host, 'p', inbound('2', {}));
      await until(scene().host, 'p', isReply);
    } finally {
      other.close();
    }
  });

  test('is let go of when another process has taken it, as of one that stood still', async () => {
    const other = createSessionStore(scene().world.homeDir);
    try {
      addPuppet(scene().world, 'p');
      await scene().serve({ p: { enabled: true } });
      scene().store.inbox.releaseChannel('p');
      expect(other.inbox.claimChannel('p')).toBe(true);
      await until(scene().host, 'p', ({ metadata }) => metadata?.serving === 'false');
      expect((await ask(scene().host, 'p', inbound('1', {}))).error).toContain('does not serve the channel "p"');
    } finally {
      other.close();
    }
  });
});

describe('while the host is closing', () => {
  test('a form is answered, its reply arrives and is not delivered again; only new messages are refused', async () => {
    const { metadata } = await beginAsking();
    scene().stopServing();
    const ending = scene().sessions.close({ graceMs: 60_000 });
    const refused = await ask(scene().host, 'p', inbound('2', {}));
    expect(refused.error).toContain('the host is closing; send it again');
    await ask(scene().host, 'p', { id: '3', method: 'answer_ask', params: { ask_id: metadata?.ask_id } });
    const reply = await until(scene().host, 'p', isReply);
    expect(reply.content).toBe('accept');
    await ending;
    expect(await accept(reply)).toEqual({ accepted: true });
    await scene().endHost();
    await serveAgain();
    expect((await play(scene().host, 'p')).some(isReply)).toBe(false);
  });

  test('a turn that its chat cancels stays cancelled; one that the host gives up is begun again', async () => {
    await beginAsking();
    await ask(scene().host, 'p', inbound('2', { chat_id: 'd', sender_id: 'bob', content: 'newsletter signup' }));
    await until(scene().host, 'p', ({ type, chat_id }) => type === 'ask_user' && chat_id === 'd');
    scene().stopServing();
    await ask(scene().host, 'p', { id: '3', method: 'cancel_turn', params: { chat_id: 'c' } });
    await scene().endHost();
    await serveAgain();
    const next = await until(scene().host, 'p', (one) => isReply(one) && one.chat_id === 'd');
    expect(next.metadata?.reason).toBe('completed');
    const [ofC] = scene()
      .store.list({ channel: 'p' })
      .filter(({ session }) => session.chatId === 'c');
    expect(said(ofC?.session.id)).toEqual(['newsletter signup']);
  });

  test('a turn that its chat cancels is answered as cancelled', async () => {
    await beginAsking();
    scene().stopServing();
    const ending = scene().sessions.close({ graceMs: 60_000 });
    const cancel = { id: '3', method: 'cancel_turn', params: { chat_id: 'c' } };
    expect((await ask(scene().host, 'p', cancel)).result).toEqual({ cancelled: 1 });
    const reply = await until(scene().host, 'p', isReply);
    expect(reply.metadata).toMatchObject({ reason: 'cancelled' });
    expect(await accept(reply)).toEqual({ accepted: true });
    await ending;
  });
});

describe('a message whose turn a kill has broken off', () => {
  const broken = event({ type: 'turn-error', message: 'cut off' });
  const call = { toolCallId: 'k', name: 'read', plugin: 'builtin', arguments: '{}' };
  const called = [
    event({ type: 'tool-call-start', ...call }),
    message({ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'k', toolName: 'read', input: {} }] }),
  ];

  test('goes on, however often it is broken off, where tools have run: they do not run again', async () => {
    const entries = [...begun('weather'), ...called, broken, ...begun(GO_ON), broken];
    const { session, epoch } = leave('p:ann', entries);
    scene().store.inbox.begin(keep('weather'), { sessionId: session.id, epoch, afterSeq: 0 });
    addPuppet(scene().world, 'p');
    await scene().serve({ p: { enabled: true } });
    await until(scene().host, 'p', isReply);
    expect(said()).toEqual(['weather', GO_ON, GO_ON]);
  });

  test('takes nothing away of an earlier one that said the same', async () => {
    const answer = message({ role: 'assistant', content: [{ type: 'text', text: 'hi' }] });
    const ended = event({ type: 'turn-end', text: 'hi', reason: 'completed' });
    const { session, epoch, lastSeq } = leave('p:ann', [...begun('hello'), answer, ended]);
    scene().store.inbox.begin(keep(), { sessionId: session.id, epoch, afterSeq: lastSeq });
    addPuppet(scene().world, 'p');
    await scene().serve({ p: { enabled: true } });
    await until(scene().host, 'p', isReply);
    expect(said()).toEqual(['hello', 'hello']);
  });
});

describe('a chat', () => {
  test('is anybody’s again when its session was deleted', async () => {
    addPuppet(scene().world, 'p');
    await scene().serve({ p: { enabled: true } });
    await ask(scene().host, 'p', inbound('1', {}));
    await until(scene().host, 'p', isReply);
    const [stored] = scene().store.list({ channel: 'p' });
    await scene().sessions.delete(stored?.session.id ?? '');
    const bobs = await ask(scene().host, 'p', inbound('2', { sender_id: 'bob' }));
    expect(bobs.result).toMatchObject({ accepted: true });
  });

  test('that is another sender’s by the time of its message says so, and goes on', async () => {
    keep();
    leave('p:bob');
    addPuppet(scene().world, 'p');
    await scene().serve({ p: { enabled: true } });
    expect(await until(scene().host, 'p', isReply)).toMatchObject({
      content: expect.stringContaining("its chat is another sender's"),
      metadata: { is_error: 'true' },
    });
    await ask(scene().host, 'p', inbound('1', { sender_id: 'bob' }));
    await until(scene().host, 'p', (one) => isReply(one) && one.metadata?.reason === 'completed');
  });

  test('works where set_cwd says from its next turn on', async () => {
    addPuppet(scene().world, 'p');
    const { root } = scene().world;
    scene().world.write('root/inner/file', '');
    await scene().serve({ p: { enabled: true, roots: [root] } });
    await ask(scene().host, 'p', inbound('1', {}));
    const first = await until(scene().host, 'p', isReply);
    const [stored] = scene().store.list({ channel: 'p' });
    // It is open here, and stays so.
    const live = await scene().sessions.resume(stored?.session.id ?? '');
    const params = { chat_id: 'c', cwd: `${root}/inner` };
    await ask(scene().host, 'p', { id: '2', method: 'set_cwd', params });
    await ask(scene().host, 'p', inbound('3', {}));
    await until(scene().host, 'p', (one) => isReply(one) && one.metadata?.reply_id !== first.metadata?.reply_id);
    expect(live.session.roots).toEqual([params.cwd]);
  });
});
