import { describe, expect, test } from 'vitest';
import { callIn } from '../fixtures/host-world.ts';
import { useChannelScene } from './fixtures/channel-scene.ts';
import { addPuppet, ask, type PuppetOptions, play, until } from './fixtures/puppet.ts';

const scene = useChannelScene();
const NAMED = { manifest: { contributes: { channelProvider: { name: 'p' } } } };
const PARTS = { type: 'channel_prompt', system_parts: { a: 'Answer briefly.' } };

/** A channel with a tool of its own, for the tenant acme. */
async function serveAcme(more: PuppetOptions = NAMED): Promise<void> {
  addPuppet(scene().world, 'p', { tools: [{ name: 'own' }], ...more });
  await scene().serve({ p: { enabled: true, tenant: 'acme' } }, { tenants: { acme: {} } });
}

const sessionOf = (tenant: string) => scene().host.openSession({ tenant, channel: 'p' });

/** What a tenant's process of the plugin got so far, and which it is. */
async function heardBy(tenant: string) {
  const { outcome, text } = await callIn(scene().host, sessionOf(tenant), 'puppet_p');
  return { outcome, types: JSON.parse(text).map(({ type }: { type?: string }) => type) };
}

describe('a channel whose configuration names a tenant', () => {
  test.each([
    ['its plugin.json', NAMED],
    ['the plugin alone, when it runs,', {}],
  ])('serves the chats of that tenant with its tools and its prompt, where %s names it', async (_, more) => {
    await serveAcme(more);
    expect(await callIn(scene().host, sessionOf('acme'), 'own')).toMatchObject({
      outcome: 'completed',
      text: 'own {}',
    });
    const played = { lines: [PARTS, { id: '1', method: 'send_inbound', params: { chat_id: 'c', content: 'hello' } }] };
    await callIn(scene().host, sessionOf('acme'), 'puppet_p', played);
    await expect.poll(() => scene().store.list({ tenant: 'acme', channel: 'p' }).length).toBe(1);
    const { signal } = new AbortController();
    expect(await scene().host.enrichContext(sessionOf('acme'), signal)).toMatchObject({
      ...{ text: expect.stringContaining('Answer briefly.'), warnings: [] },
    });
    const [status] = await scene().host.listPlugins({ start: false });
    expect(status?.processes.map(({ tenant }) => tenant)).toEqual(['acme']);
  });

  test('runs once: another tenant gets a process that is no channel, and says whose its own tools are', async () => {
    await serveAcme();
    expect(await heardBy('other')).toEqual({ outcome: 'completed', types: [undefined] });
    expect((await heardBy('acme')).types).toContain('channel_config');
    expect(await callIn(scene().host, sessionOf('other'), 'own')).toMatchObject({
      ...{ outcome: 'failed', text: expect.stringMatching(/another tenant's.*"sharedAcrossTenants": true/) },
    });
  });
});

describe('a configuration that is wrong', () => {
  test.each([
    [{ tenant: 5 }, 'channels.p.tenant must name one of the tenants of plugin p'],
    [{ roots: '/srv' }, 'channels.p.roots must be a list of directories'],
  ])('%j is told of, and the plugin hears that its messages are not taken', async (wrong, reason) => {
    addPuppet(scene().world, 'p');
    await scene().serve({ p: { enabled: true, ...wrong } });
    expect(scene().world.warnings.filter((warning) => warning.includes(reason))).toHaveLength(1);
    const [, config] = await play(scene().host, 'p');
    expect(config?.metadata).toMatchObject({ serving: 'false' });
    await play(scene().host, 'p', { exit: 0 });
    await until(scene().host, 'p', ({ type }) => type === 'channel_config');
    expect(scene().world.warnings.filter((warning) => warning.includes(reason))).toHaveLength(1);
    const refused = await ask(scene().host, 'p', { id: '1', method: 'send_inbound', params: {} });
    expect(refused.error).toContain('this process does not serve the channel "p"');
  });
});
