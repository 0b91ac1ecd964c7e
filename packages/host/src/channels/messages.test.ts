import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { type ChannelScene, useChannelScene } from './fixtures/channel-scene.ts';
import { addPuppet, ask, play, until } from './fixtures/puppet.ts';

const scene = useChannelScene();
const open = (...given: Parameters<ChannelScene['open']>) => scene().open(...given);
const serve = (...given: Parameters<ChannelScene['serve']>) => scene().serve(...given);
const logOf = (id: string) => scene().logOf(id);
const inbound = (id: unknown, params: JsonObject) => ({ id, method: 'send_inbound', params });
const hello = { chat_id: 'c', content: 'hello', sender_id: 'ann' };

describe('messages', () => {
  test('are answered in their chat, with the states of the turn on the way', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'weather_report', description: 'The weather report.' }] });
    await serve({ p: { enabled: true } }, { permissions: { allow: ['p:weather_report'] } });
    await play(scene().host, 'p', { lines: [inbound('1', { ...hello, content: 'weather report' })] });
    const reply = await until(scene().host, 'p', ({ type }) => type === 'text');
    expect(reply).toMatchObject({
      chat_id: 'c',
      content: 'weather_report {}',
      metadata: { is_final: 'true', reason: 'completed' },
    });
    const [stored] = scene().store.list({ channel: 'p' });
    expect(stored?.session).toMatchObject({ tenant: '', channel: 'p', chatId: 'c', user: 'p:ann', roots: [] });
  });

  test('numeric ids come back as they are, and what cannot be understood is survived and logged', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    const lines = [
      '{"type":',
      'not json',
      '[]',
      { type: 'unknown_type' },
      { method: 'send_inbound', params: hello },
      { id: 'srv-99', result: 'late' },
    ];
    await play(scene().host, 'p', { lines });
    expect(await ask(scene().host, 'p', { id: 7, method: 'list_sessions' })).toMatchObject({
      id: 7,
      result: { sessions: [] },
    });
    for (const part of ['not a JSON object', 'unknown_type', 'a request needs an id', 'nobody waits for it'])
      expect(logOf('p')).toContain(part);
  });

  test.each([
    [{ ...hello, channel: 'web' }, 'this plugin speaks for the channel "p" only, not for "web"'],
    [{ ...hello, tenant: 'acme' }, "tenant is not the plugin's to say"],
    [{ ...hello, user: 'root' }, "user is not the plugin's to say"],
    [{ ...hello, chat_id: '' }, 'chat_id must be non-empty text'],
    [{ ...hello, chat_id: 'a\nb' }, 'without control characters'],
    [{ ...hello, content: ' ' }, 'content is empty'],
    [{ ...hello, content: 5 }, 'content must be text, got 5'],
  ])('%j is refused', async (params, reason) => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    const answer = await ask(scene().host, 'p', inbound('1', params));
    expect(answer.error).toContain(reason);
    expect(scene().store.list()).toEqual([]);
  });

  test('another sender gets no chat that has one, and groups are told by who speaks', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    await ask(scene().host, 'p', inbound('1', hello));
    expect((await ask(scene().host, 'p', inbound('2', { ...hello, sender_id: 'bob' }))).error).toContain(
      "is another sender's",
    );
    const group = { ...hello, chat_id: 'g', chat_type: 'group', sender_name: 'Bob' };
    expect((await ask(scene().host, 'p', inbound('3', group))).result).toMatchObject({ accepted: true });
    await until(scene().host, 'p', ({ type, chat_id }) => type === 'text' && chat_id === 'g');
    expect(
      (await ask(scene().host, 'p', { id: '4', method: 'get_history', params: { chat_id: 'g' } })).result,
    ).toMatchObject({
      messages: [{ role: 'user', content: '[Bob] hello' }, { role: 'assistant' }],
    });
  });

  test('a plugin sees the chats of its own channel only, and moves within what the user granted', async () => {
    addPuppet(scene().world, 'p');
    addPuppet(scene().world, 'q');
    await serve({ p: { enabled: true, roots: [scene().world.root] }, q: { enabled: true } });
    await ask(scene().host, 'p', inbound('1', hello));
    await until(scene().host, 'p', ({ type }) => type === 'text');
    for (const method of ['get_history', 'cancel_turn', 'set_cwd'])
      expect(
        (await ask(scene().host, 'q', { id: method, method, params: { chat_id: 'c', cwd: scene().world.root } })).error,
      ).toContain('there is no chat "c" in this channel');
    expect(
      (await ask(scene().host, 'p', { id: 'x', method: 'set_cwd', params: { chat_id: 'c', cwd: scene().world.dir } }))
        .error,
    ).toContain('in none of the directories');
    expect(
      (await ask(scene().host, 'p', { id: 'y', method: 'set_cwd', params: { chat_id: 'c', cwd: scene().world.root } }))
        .result,
    ).toEqual({ cwd: scene().world.root });
  });

  test('requests beyond messages need the permission rpc; an unknown one is answered with those there are', async () => {
    addPuppet(scene().world, 'p', { permissions: ['tools.register', 'channels.register'] });
    addPuppet(scene().world, 'q');
    await serve({ p: { enabled: true }, q: { enabled: true } });
    expect((await ask(scene().host, 'p', { id: '1', method: 'list_sessions' })).error).toContain(
      'needs the permission "rpc"',
    );
    expect((await ask(scene().host, 'q', { id: '1', method: 'drop_tables' })).error).toContain(
      'unknown method: drop_tables. There are send_inbound',
    );
  });

  test('are refused where nobody serves them, and acknowledged ones are answered by the next host', async () => {
    addPuppet(scene().world, 'p');
    await open({ p: { enabled: true } });
    await scene().host.listTools(scene().host.openSession());
    expect((await ask(scene().host, 'p', inbound('1', hello))).error).toContain(
      'messages are taken by `toolpost serve`',
    );
    const kept = { tenant: '', channel: 'p', chatId: 'c', requestId: '', user: 'p:ann', content: 'hello' };
    const pk = scene().store.inbox.add(kept, 10)?.message.pk;
    await scene().endHost();
    await serve({ p: { enabled: true } });
    expect(await until(scene().host, 'p', ({ type }) => type === 'text')).toMatchObject({
      metadata: { reply_id: String(pk) },
    });
  });

  test('of one chat are answered one after the other, those of many chats beside each other', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    const lines = Array.from({ length: 60 }, (_, index) =>
      inbound(index, { ...hello, chat_id: `c${index % 20}`, content: `hello ${index}` }),
    );
    await play(scene().host, 'p', { lines });
    const replies = new Map<string, number>();
    await until(scene().host, 'p', ({ metadata, type }) => {
      if (type === 'text') replies.set(metadata?.reply_id ?? '', 1);
      return replies.size === 60;
    });
    for (const { session } of scene().store.list({ channel: 'p' })) {
      const said = scene()
        .store.history(session.id)
        .flatMap(({ role, content }) => (role === 'user' ? [JSON.stringify(content)] : []));
      const index = Number(session.chatId.slice(1));
      expect(said.map((one) => Number(/hello (\d+)/.exec(one)?.[1]))).toEqual([index, index + 20, index + 40]);
    }
  });
});
