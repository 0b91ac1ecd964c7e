import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addPuppet } from '../channels/fixtures/puppet.ts';
import { callIn, createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import { open } from '../fixtures/open-host.ts';
import type { Host, SessionOptions } from '../host.ts';

const ONE_TOOL = (name: string, more = '') =>
  `import { defineTool, definePlugin } from '@toolpost/sdk';
   export default definePlugin({ tools: [defineTool({ name: '${name}', description: 'd', ${more} execute: () => 'done' })] });`;

async function diagnose(world: HostWorld, as: SessionOptions = {}) {
  const { host } = await open(world, { yes: false });
  return describeAll(host, as);
}

async function describeAll(host: Host, as: SessionOptions) {
  const diagnosis = await host.diagnose(host.openSession(as));
  const of = (id: string) => {
    const plugin = diagnosis.plugins.find((one) => one.id === id);
    if (!plugin) throw new Error(`no ${id} among ${diagnosis.plugins.map((one) => one.id).join(', ')}`);
    return plugin;
  };
  return { ...diagnosis, of };
}

describe('the doctor', () => {
  test('finds nothing wrong with a plugin whose gates are all open', async () => {
    const world = createHostWorld();
    world.addNative('fine', ONE_TOOL('fine_tool'));
    const { of, isFine, machine } = await diagnose(world);
    expect(of('fine')).toMatchObject({ runtime: 'native', closed: [], tools: [{ name: 'fine_tool' }] });
    expect(isFine).toBe(true);
    expect(machine.map(({ name }) => name)).toEqual([
      ...['node', 'python3', 'rg', 'home directory', 'database', 'transpiler', 'model'],
    ]);
  });

  test.each<[string, string, RegExp, RegExp, boolean, (world: HostWorld) => void]>([
    [
      ...(['p', 'found', /manifest/, /plugins validate/, false] as const),
      (world) => void world.write('plugins/p/plugin.json', { id: 'p', version: 'one' }),
    ],
    [
      ...(['root', 'trusted', /until trusted/, /^toolpost trust /, true] as const),
      (world) => void world.write('root/.toolpost/plugins/q/plugin.json', { id: 'q', version: '1.0.0' }),
    ],
    [
      ...(['p', 'enabled', /disabled/, /take "p" from plugins\.disabled in .*config\.json/, true] as const),
      (world) => {
        world.addNative('p', ONE_TOOL('p_tool'));
        world.write('home/config.json', { plugins: { disabled: ['p'] } });
      },
    ],
    [
      ...(['p', 'enabled', /channel "chat" is off/, /add "channels": \{"chat": \{"enabled": true\}\}/, false] as const),
      (world) => {
        const permissions = ['tools.register', 'channels.register'];
        const contributes = { channelProvider: { name: 'chat' }, tools: [{ name: 'p_tool', description: 'd' }] };
        world.addProgram('p', ['p_tool'], { permissions, contributes });
      },
    ],
    [
      ...(['p', 'configured', /plugins\.settings\.p\.key: the variable MISSING_KEY/, /./, false] as const),
      (world) => {
        const configuration = { properties: { key: { type: 'string' } } };
        world.addNative('p', ONE_TOOL('p_tool'), { contributes: { configuration } });
        world.write('home/config.json', { plugins: { settings: { p: { key: { env: 'MISSING_KEY' } } } } });
      },
    ],
    [
      ...([
        'p',
        'permitted',
        /tools need the permission "tools\.register"/,
        /add "tools\.register" to .*plugin\.json/,
        false,
      ] as const),
      (world) =>
        world.addNative('p', ONE_TOOL('p_tool'), {
          permissions: ['hooks.subscribe'],
          contributes: { tools: [{ name: 'p_tool', description: 'd' }] },
        }),
    ],
    [
      ...(['p', 'started', /no such thing/, /plugins info p/, false] as const),
      (world) => world.addNative('p', 'throw new Error("no such thing");'),
    ],
    [
      ...(['p', 'visible', /for acme alone/, /--tenant acme/, true] as const),
      (world) => {
        world.addNative('p', ONE_TOOL('p_tool'));
        world.write('home/config.json', { tenants: { acme: { plugins: ['p'] } } });
      },
    ],
    [
      ...(['typo', 'found', /limits\.typo of the configuration names it/, /--plugins DIR/, false] as const),
      (world) => void world.write('home/config.json', { limits: { typo: { callsPerDay: 1 } } }),
    ],
    [
      ...(['nobody', 'found', /channels\.nobody\.enabled/, /--plugins DIR/, false] as const),
      (world) => void world.write('home/config.json', { channels: { nobody: { enabled: true } } }),
    ],
  ])('says that %s is not %s, why, and what opens that', async (id, gate, reason, remedy, isFine, prepare) => {
    const world = createHostWorld();
    prepare(world);
    const diagnosis = await diagnose(world);
    expect(diagnosis.of(id).closed).toMatchObject([
      { gate, reason: expect.stringMatching(reason), remedy: expect.stringMatching(remedy), isFault: !isFine },
    ]);
    expect(diagnosis.isFine).toBe(isFine);
  });

  test.each([
    ['tools.register', { type: 'channel_tools', tools: [{ name: 'own' }] }, /its tools need the permission/],
    ['context.enrich', { type: 'channel_prompt', system_parts: { a: 'b' } }, /its texts for the prompt need/],
    ['ui.contribute', { type: 'web_ui', ui: [] }, /its interfaces and widgets need/],
    ['rpc', { id: '1', method: 'list_sessions' }, /its requests need/],
  ])('says that a channel has declared or asked for something without %s', async (permission, message, reason) => {
    const world = createHostWorld();
    const permissions = ['channels.register', 'tools.register', 'context.enrich', 'ui.contribute', 'rpc'];
    addPuppet(world, 'p', {
      ...{ says: [message], permissions: permissions.filter((one) => one !== permission) },
    });
    world.write('home/config.json', { channels: { p: { enabled: true } } });
    const remedy = expect.stringMatching(`add "${permission}" to "permissions" in .*plugin\\.json`);
    expect((await diagnose(world)).of('p').closed).toMatchObject([
      { gate: 'permitted', reason: expect.stringMatching(reason), remedy, isFault: true },
    ]);
  });

  test('says why something that a channel has declared is left out', async () => {
    const world = createHostWorld();
    addPuppet(world, 'p', { says: [{ type: 'channel_tools', tools: [{ name: 'fine' }, { name: 5 }] }] });
    addPuppet(world, 'q', { says: [{ type: 'channel_prompt', system_parts: { a: 5 } }] });
    world.write('home/config.json', { channels: { p: { enabled: true }, q: { enabled: true } } });
    const { of } = await diagnose(world);
    expect(of('p').closed.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^left out: .*name/)]);
    expect(of('q').closed.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^left out: its channel_prompt: system_parts\.a must be text, got 5/),
    ]);
  });

  test('says what a plugin has asked for in its calls without the permission', async () => {
    const world = createHostWorld();
    const keep = `import { defineTool } from '@toolpost/sdk';
      export default defineTool({ name: 'keeps', description: 'd', execute: (_, { storage }) => storage.set('a', 1) });`;
    world.addNative('p', keep, { permissions: ['tools.register'] });
    const { host } = await open(world);
    expect((await callIn(host, host.openSession(), 'keeps')).outcome).toBe('failed');
    expect((await describeAll(host, {})).of('p').closed).toMatchObject([
      { gate: 'permitted', reason: expect.stringContaining('of its storage need the permission "storage.private"') },
    ]);
  });

  test('tells of tools that are shadowed, of another channel, or in the place of a built-in one', async () => {
    const world = createHostWorld();
    world.addNative('a', ONE_TOOL('read'));
    world.addNative('b', ONE_TOOL('read'));
    world.addNative('c', ONE_TOOL('c_tool', "channels: ['web'],"));
    const cli = await diagnose(world);
    expect(cli.of('a').tools).toEqual([{ name: 'read', note: expect.stringMatching(/the built-in read, and asks/) }]);
    expect(cli.of('b').tools[0]?.closed).toMatchObject({
      gate: 'visible',
      reason: expect.stringContaining('shadowed by plugin a'),
    });
    expect(cli.of('c').tools[0]?.closed).toMatchObject({
      gate: 'visible',
      reason: expect.stringContaining('only for channel web'),
    });
    expect(cli.isFine).toBe(true);
    expect((await diagnose(world, { channel: 'web' })).of('c').tools).toEqual([{ name: 'c_tool' }]);
  });

  test('names a home directory that others may open, and a database that does not work', async () => {
    const world = createHostWorld();
    const { host } = await open(world);
    chmodSync(world.homeDir, 0o755);
    chmodSync(world.write('home/sessions.db', 'x'.repeat(5000)), 0o600);
    const { machine, isFine } = await describeAll(host, {});
    const failed = machine.filter(({ isFault }) => isFault);
    expect(failed).toMatchObject([
      {
        name: 'home directory',
        text: `others may open ${world.homeDir}`,
        remedy: `chmod 700 ${world.homeDir}`,
      },
      { name: 'database', text: expect.stringContaining('damaged') },
    ]);
    expect(isFine).toBe(false);
  });

  test('quotes no secret', async () => {
    const world = createHostWorld();
    const configuration = { properties: { key: { type: 'string', secret: true } } };
    world.addNative('p', 'throw new Error("cannot use hunter2-hunter2");', { contributes: { configuration } });
    world.write('home/config.json', { plugins: { settings: { p: { key: 'hunter2-hunter2' } } } });
    const { host } = await open(world);
    expect(JSON.stringify(await host.diagnose(host.openSession()))).not.toContain('hunter2');
  });
});
