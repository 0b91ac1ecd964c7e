import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, test } from 'vitest';
import { callIn } from '../fixtures/host-world.ts';
import { type ChannelScene, useChannelScene } from './fixtures/channel-scene.ts';
import { addPuppet, ask, play, until } from './fixtures/puppet.ts';

const scene = useChannelScene();
const open = (...given: Parameters<ChannelScene['open']>) => scene().open(...given);
const serve = (...given: Parameters<ChannelScene['serve']>) => scene().serve(...given);
const namesIn = (channel: string) => scene().namesIn(channel);
const logOf = (id: string) => scene().logOf(id);
const inbound = (id: unknown, params: JsonObject) => ({ id, method: 'send_inbound', params });
const hello = { chat_id: 'c', content: 'hello', sender_id: 'ann' };

describe('what a channel is told and declares', () => {
  test('it gets the configuration over its defaults, and whether messages are taken', async () => {
    const item = (key: string, value: unknown) => ({ key, default_value: value });
    addPuppet(scene().world, 'p', { provider: { config_schema: [item('a', 1), item('b', 2), item('enabled', true)] } });
    await serve({ p: { enabled: 'true', b: 3 } });
    const [, config] = await play(scene().host, 'p');
    expect(config).toMatchObject({ type: 'channel_config', metadata: { serving: 'true' } });
    expect(JSON.parse(config?.metadata?.config ?? '')).toEqual({ enabled: 'true', a: 1, b: 3 });
  });

  test('a secret that the configuration names is read for it, and masked in what its tools say', async () => {
    scene().world.write('home/token', 'sesame-sesame-1\n');
    const configSchema = [{ key: 'token', type: 'password' }];
    addPuppet(scene().world, 'p', { manifest: { contributes: { channelProvider: { name: 'p', configSchema } } } });
    await serve({ p: { enabled: true, token: 'file:token', plain: 'file:token' } });
    const [, config] = await play(scene().host, 'p');
    expect(JSON.parse(config?.metadata?.config ?? '')).toEqual({
      ...{ enabled: true, plain: 'file:token' },
      token: expect.stringMatching(/^(?!file:)(?!.*sesame)./),
    });
  });

  test('a channel that the user has not enabled gets nothing, whatever its defaults say', async () => {
    addPuppet(scene().world, 'p', {
      tools: [{ name: 'own' }],
      provider: { config_schema: [{ key: 'enabled', default_value: true }] },
    });
    await serve({});
    expect((await play(scene().host, 'p')).map(({ type }) => type)).toEqual([undefined]);
    expect(await namesIn('p')).not.toContain('own');
  });

  test('each declaration replaces the earlier one of its kind; a wrong one leaves it', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'one' }, { name: 'two', channels: ['web'] }] });
    await serve({ p: { enabled: true } });
    expect(
      [await namesIn('p'), await namesIn('web')].map((names) => names.filter((name) => /^(?:one|two)$/.test(name))),
    ).toEqual([['one'], ['two']]);
    await play(scene().host, 'p', { lines: [{ type: 'channel_tools', tools: 'none' }] });
    expect(await namesIn('p')).toContain('one');
    await play(scene().host, 'p', { lines: [{ type: 'channel_tools', tools: [{ name: 'three' }] }] });
    expect((await namesIn('p')).filter((name) => /^(?:one|three)$/.test(name))).toEqual(['three']);
    expect(await namesIn('web')).not.toContain('two');
    expect(logOf('p')).toContain('channel_tools is left out: tools must be a list, got "none"');
  });

  test('its prompt stands in the system prompt of its own sessions, and goes with it', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    await play(scene().host, 'p', { lines: [{ type: 'channel_prompt', system_parts: { b: 'second', a: 'first' } }] });
    const textIn = async (channel: string) =>
      (await scene().host.enrichContext(scene().host.openSession({ channel }), new AbortController().signal)).text;
    expect(await textIn('p')).toBe('\n## a (p)\nfirst\n\n## b (p)\nsecond\n');
    expect(await textIn('cli')).toBe('');
    await play(scene().host, 'p', { lines: [{ type: 'channel_prompt', system_parts: { c: 'third' } }] });
    expect(await textIn('p')).toBe('\n## c (p)\nthird\n');
  });

  test('its widgets are kept with it', async () => {
    addPuppet(scene().world, 'p');
    await serve({ p: { enabled: true } });
    await play(scene().host, 'p', { lines: [{ type: 'web_ui', ui: [{ widget_id: 'w', slot: 'footer', code: 'x' }] }] });
    const [status] = await scene().host.listPlugins();
    expect(status?.channel).toEqual({
      name: 'p',
      isEnabled: true,
      widgets: [{ widgetId: 'w', slot: 'footer', code: 'x' }],
    });
  });

  test.each([
    ['tools.register', { type: 'channel_tools', tools: [{ name: 'own' }] }],
    ['context.enrich', { type: 'channel_prompt', system_parts: { a: 'b' } }],
    ['ui.contribute', { type: 'web_ui', ui: [] }],
  ])('without the permission %s its declaration is left out, and the log says so', async (permission, declaration) => {
    // Its tool is what it is played with, so that it is asked through the log of its start where it may have none.
    addPuppet(scene().world, 'p', {
      permissions: ['tools.register', 'channels.register'].filter((one) => one !== permission),
    });
    scene().world.write('plugins/p/declaration.json', declaration);
    await serve({ p: { enabled: true } });
    if (permission === 'tools.register') {
      expect(scene().world.warnings.join()).toContain('lacks the permission "tools.register"');
      return;
    }
    await play(scene().host, 'p', { lines: [declaration] });
    expect(logOf('p')).toContain(`needs the permission "${permission}" in its plugin.json`);
  });

  test('without the permission channels.register it is a plugin of tools, and the warning says so', async () => {
    addPuppet(scene().world, 'p', { permissions: ['tools.register'], manifest: { runtime: 'channel' } });
    await serve({ p: { enabled: true } });
    expect((await play(scene().host, 'p')).map(({ type }) => type)).toEqual([undefined]);
    expect(scene().world.warnings.join()).toContain('lacks the permission "channels.register"');
  });

  test('of two plugins that are one channel the one whose manifest names it has it', async () => {
    addPuppet(scene().world, 'a', { provider: { name: 'shared' } });
    addPuppet(scene().world, 'b', {
      manifest: { contributes: { channelProvider: { name: 'shared' } } },
      provider: { name: 'shared' },
    });
    await serve({ shared: { enabled: true } });
    expect((await play(scene().host, 'b')).map(({ type }) => type)).toContain('channel_config');
    expect((await play(scene().host, 'a')).map(({ type }) => type)).not.toContain('channel_config');
    expect(scene().world.warnings.join()).toContain(`plugin a: the channel "shared" is plugin b's`);
  });
});

describe('calls of its tools', () => {
  const session = () => scene().host.openSession({ channel: 'p' });
  test.each([
    ['plain', 'completed', 'plain {"x":1}', undefined],
    ['fails', 'failed', 'fails {"x":1}', undefined],
    ['draws', 'completed', 'drawn', { ui_code: 'export function App() {}' }],
    ['odd', 'completed', '[1,2]', undefined],
    ['nested', 'completed', 'asked, then answered', undefined],
  ])('%s', async (name, outcome, text, metadata) => {
    addPuppet(scene().world, 'p', { tools: [{ name, inputSchema: { type: 'object' } }] });
    await serve({ p: { enabled: true } });
    const record = await callIn(scene().host, session(), name, { x: 1 });
    expect(record).toMatchObject({ outcome, text, ...(metadata && { metadata }) });
  });

  test('one that is given up leaves the process and its neighbours alone', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'slow' }, { name: 'plain' }] });
    await serve({ p: { enabled: true } });
    const before = (await scene().host.listPlugins({ start: false }))[0]?.processes[0]?.pid;
    const slow = callIn(scene().host, session(), 'slow', {}, { timeoutMs: 100 });
    expect(await callIn(scene().host, session(), 'plain')).toMatchObject({ outcome: 'completed' });
    expect(await slow).toMatchObject({ outcome: 'timed-out' });
    expect((await scene().host.listPlugins({ start: false }))[0]?.processes[0]?.pid).toBe(before);
  });

  test('many run at once, in both directions', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'nested' }] });
    await serve({ p: { enabled: true } });
    const records = await Promise.all(Array.from({ length: 100 }, () => callIn(scene().host, session(), 'nested')));
    expect(records.every(({ outcome }) => outcome === 'completed')).toBe(true);
  });

  test('a bundled one that shadows a built-in asks before each call', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'read' }, { name: 'own' }] });
    const bundled = { pluginDirs: [], bundledDir: scene().world.pluginsDir, yes: false };
    await open({ p: { enabled: true } }, {}, bundled);
    expect((await callIn(scene().host, session(), 'own')).outcome).toBe('completed');
    expect((await callIn(scene().host, session(), 'read')).outcome).toBe('denied');
  });
});

describe('a crash', () => {
  test('takes away what was declared; the process is started again, and declares anew', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'own' }] });
    await serve({ p: { enabled: true } });
    await play(scene().host, 'p', { lines: [{ type: 'channel_tools', tools: [{ name: 'other' }] }], exit: 3 });
    expect((await namesIn('p')).filter((name) => /^(?:own|other)$/.test(name))).toEqual([]);
    const back = Promise.withResolvers<void>();
    scene().host.onToolsChange(() => void namesIn('p').then((names) => names.includes('own') && back.resolve()));
    await back.promise;
    expect((await play(scene().host, 'p')).map(({ type }) => type)).toContain('channel_config');
  });

  test('keeps a message and its reply: the next life gets it, and says that it has it', async () => {
    addPuppet(scene().world, 'p', { provider: { accepts_replies: true } });
    await serve({ p: { enabled: true } });
    await play(scene().host, 'p', { lines: [inbound('1', { ...hello, request_id: 'r' })] });
    const isReply = ({ type }: { type?: string }) => type === 'text';
    const first = await until(scene().host, 'p', isReply);
    await play(scene().host, 'p', { exit: 0 });
    const again = await until(scene().host, 'p', isReply);
    expect(again).toEqual(first);
    const { reply_id } = again.metadata ?? {};
    expect(await ask(scene().host, 'p', { id: '2', method: 'accept_reply', params: { reply_id } })).toMatchObject({
      result: { accepted: true },
    });
    await play(scene().host, 'p', { exit: 0 });
    await until(scene().host, 'p', ({ type }) => type === 'channel_config');
    expect((await play(scene().host, 'p')).some(isReply)).toBe(false);
    const sentAgain = await ask(scene().host, 'p', inbound('3', { ...hello, request_id: 'r' }));
    expect(sentAgain.result).toMatchObject({ accepted: true, duplicate: true, reply: { text: first.content } });
  });
});
