import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { callIn } from '../fixtures/host-world.ts';
import { useChannelScene } from './fixtures/channel-scene.ts';
import { addPuppet, ask, play, until } from './fixtures/puppet.ts';

const scene = useChannelScene();
const pythonDir = fileURLToPath(new URL('../../../../python', import.meta.url));

/** A plugin of its own, whose tool asks whoever the session belongs to. */
const SIGNUP = `import { defineTool } from '@toolpost/sdk';
export default defineTool({ name: 'newsletter_signup', description: 'The newsletter signup.',
  async execute(_input, { ask }) {
    const schema = { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] };
    const { action, content } = await ask({ message: 'Your name?', schema });
    return action + ' ' + JSON.stringify(content ?? {});
  } });`;

/** Each begins a turn of its own chat, answers its form at the second try, and tells all of it to \`told\`. */
const IN_TYPESCRIPT = `import { defineChannel, defineTool } from '@toolpost/sdk';
const asked: string[] = [];
const replied = Promise.withResolvers<string>();
const told = defineTool({ name: 'told', description: 'd', execute: async () => ({ reply: await replied.promise, asked }) });
export default defineChannel({
  name: 'p',
  declares: { tools: [told] },
  start: (channel) => void channel.sendInbound({ chatId: 'c', content: 'newsletter signup' }),
  onReply: ({ text }) => replied.resolve(text),
  onAsk({ chatId, message, tool, problem = 'none' }) {
    asked.push([chatId, message, tool, problem].join(', '));
    return { action: 'accept', content: { name: problem === 'none' ? 'A' : 'Ann' } };
  },
});`;

const IN_PYTHON = `import threading, toolpost
channel = toolpost.Channel("p")
asked, replies, replied = [], [], threading.Event()

@channel.tool
def told() -> dict:
    "d"
    replied.wait()
    return {"reply": replies[0], "asked": asked}

@channel.on_start
def start():
    channel.send_inbound("c", "newsletter signup")

@channel.on_reply
def reply(reply):
    replies.append(reply.text)
    replied.set()

@channel.on_ask
def ask(ask):
    asked.append(", ".join([ask.chat_id, ask.message, ask.tool, ask.problem or "none"]))
    return {"name": "Ann" if ask.problem else "A"}

toolpost.serve_channel(channel)`;

const PERMISSIONS = ['channels.register', 'tools.register'];

async function serve(channels: JsonObject): Promise<void> {
  scene().world.addNative('signup', SIGNUP);
  const permissions = { allow: ['newsletter_signup', 'told'] };
  await scene().serve(channels, { permissions }, { pythonDir });
}

/** Has a puppet's chat begin a turn whose tool asks, and returns the question. */
async function beginAsking(id: string) {
  const params = { chat_id: 'c', content: 'newsletter signup', sender_id: 'ann' };
  await ask(scene().host, id, { id: `begin-${id}`, method: 'send_inbound', params });
  return until(scene().host, id, ({ type }) => type === 'ask_user');
}

const answer = async (puppet: string, params: JsonObject, id = `answer-${JSON.stringify(params)}`) =>
  ask(scene().host, puppet, { id, method: 'answer_ask', params });
const replyOf = (id: string) => until(scene().host, id, ({ type }) => type === 'text');
const ASKING = { provider: { answers_asks: true } };

describe('a form of a tool in a turn of a channel', () => {
  test.each([
    ['TypeScript', { 'main.ts': IN_TYPESCRIPT }, { entry: 'main.ts' }],
    ['Python', { 'main.py': IN_PYTHON }, { executable: 'python3', args: ['main.py'] }],
  ])('is answered by the handler of a plugin in %s, again where its values do not fit', async (_, files, program) => {
    for (const [name, text] of Object.entries(files)) scene().world.write(`plugins/p/${name}`, text);
    const manifest = { id: 'p', name: 'p', version: '1.0.0', runtime: 'channel', permissions: PERMISSIONS };
    scene().world.write('plugins/p/plugin.json', { ...manifest, ...program });
    await serve({ p: { enabled: true } });
    const record = await callIn(scene().host, scene().host.openSession({ channel: 'p' }), 'told');
    expect(JSON.parse(record.text)).toEqual({
      reply: 'accept {"name":"Ann"}',
      asked: [
        'c, Your name?, newsletter_signup, none',
        'c, Your name?, newsletter_signup, name must NOT have fewer than 2 characters',
      ],
    });
  });

  test('is cancelled at once where the plugin does not say that it can ask', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    const params = { chat_id: 'c', content: 'newsletter signup', sender_id: 'ann' };
    await ask(scene().host, 'p', { id: '1', method: 'send_inbound', params });
    expect((await replyOf('p')).content).toBe('cancel {}');
    expect((await play(scene().host, 'p')).some(({ type }) => type === 'ask_user')).toBe(false);
  });

  test('is answered by its own channel only, once, and in its own chat', async () => {
    addPuppet(scene().world, 'p', ASKING);
    addPuppet(scene().world, 'q', ASKING);
    await serve({ p: { enabled: true }, q: { enabled: true } });
    const { metadata, chat_id, form } = await beginAsking('p');
    expect({ metadata, chat_id, form }).toMatchObject({
      chat_id: 'c',
      form: { message: 'Your name?', schema: { required: ['name'] } },
      metadata: { plugin: 'signup', tool: 'newsletter_signup', expires_at: expect.stringMatching(/^\d+$/) },
    });
    const given = { ask_id: metadata?.ask_id, values: { name: 'Eve' } };
    expect((await answer('q', given)).result).toEqual({ accepted: false });
    expect((await answer('p', { ...given, chat_id: 'd' })).error).toContain('a question to another chat than "d"');
    expect((await answer('p', { ...given, values: [] })).error).toContain('values must be an object');
    expect((await answer('p', { ...given, action: 'yes' })).error).toContain('accept, decline or cancel, got "yes"');
    const own = { ...given, values: { name: 'Ann' } };
    expect((await answer('p', own)).result).toEqual({ accepted: true });
    expect((await replyOf('p')).content).toBe('accept {"name":"Ann"}');
    expect((await answer('p', own, 'again')).result).toEqual({ accepted: false });
  });

  test('is asked again of the next life of a plugin that crashed', async () => {
    addPuppet(scene().world, 'p', ASKING);
    await serve({ p: { enabled: true } });
    const first = await beginAsking('p');
    await play(scene().host, 'p', { exit: 3 });
    const again = await until(scene().host, 'p', ({ type }) => type === 'ask_user');
    expect(again).toEqual(first);
    await answer('p', { ask_id: again.metadata?.ask_id, action: 'decline' });
    expect((await replyOf('p')).content).toBe('decline {}');
  });

  test('is taken back when its turn is cancelled', async () => {
    addPuppet(scene().world, 'p', ASKING);
    await serve({ p: { enabled: true } });
    const { metadata } = await beginAsking('p');
    await ask(scene().host, 'p', { id: 'x', method: 'cancel_turn', params: { chat_id: 'c' } });
    expect(await until(scene().host, 'p', ({ type }) => type === 'ask_over')).toMatchObject({
      chat_id: 'c',
      metadata: { ask_id: metadata?.ask_id, action: 'cancel' },
    });
    expect((await answer('p', { ask_id: metadata?.ask_id })).result).toEqual({ accepted: false });
  });

  test('holds up no other chat, however many wait for people', async () => {
    addPuppet(scene().world, 'p', ASKING);
    await serve({ p: { enabled: true } });
    const begin = (chat: string, content: string) => ({
      ...{ id: chat, method: 'send_inbound' },
      params: { chat_id: chat, content, sender_id: chat },
    });
    const lines = Array.from({ length: 40 }, (_, index) => begin(`c${index}`, 'newsletter signup'));
    await play(scene().host, 'p', { lines: [...lines, begin('last', 'hello')] });
    expect(await replyOf('p')).toMatchObject({ chat_id: 'last' });
    const open = (await play(scene().host, 'p')).filter(({ type }) => type === 'ask_user');
    expect(open.length).toBe(40);
  });
});
