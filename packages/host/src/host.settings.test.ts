import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import { open } from './fixtures/open-host.ts';

const SECRET = 'k-4711-very-secret';
const configuration = {
  properties: { key: { type: 'string', secret: true }, unit: { type: 'string', default: 'C' } },
};
const SERVED = `
import { defineTool, definePlugin, serveStdio } from '@toolpost/sdk';
const plugin = definePlugin({ tools: [
  defineTool({ name: 'show', description: 'd', execute: (_, { settings, log }) => { log('key ' + settings.key); return { length: settings.key?.length ?? 0, text: 'is ' + settings.key }; } }),
  defineTool({ name: 'die', description: 'd', execute: () => process.exit(3) }),
] });`;

/** The same plugin in the host's process, and as a process. */
function worldOf(runtime: 'native' | 'stdio', key: unknown): HostWorld {
  const world = createHostWorld();
  const contributes = { configuration, tools: [{ name: 'show', description: 'd' }] };
  if (runtime === 'native') world.addNative('p', `${SERVED}\nexport default plugin;`, { contributes });
  else {
    const sdk = JSON.stringify(import.meta.resolve('@toolpost/sdk'));
    const source = SERVED.replace("'@toolpost/sdk'", sdk);
    world.addNative('p', `${source}\nawait serveStdio(plugin);`, {
      contributes,
      runtime: 'stdio',
      entry: 'node index.mjs',
    });
  }
  world.write('home/config.json', { plugins: { settings: { p: { key } } } });
  return world;
}

describe.each(['native', 'stdio'] as const)('the settings of a %s plugin', (runtime) => {
  test('come from a file at each start, and what it holds is masked everywhere', async () => {
    const world = worldOf(runtime, 'file:key');
    world.write('home/key', SECRET);
    const { host, session } = await open(world);
    expect(await callIn(host, session, 'show')).toMatchObject({
      structuredContent: { length: SECRET.length, text: 'is [redacted]' },
    });
    const next = `${SECRET}-2`;
    world.write('home/key', next);
    await host.stopPlugin('p');
    expect(await callIn(host, session, 'show')).toMatchObject({
      structuredContent: { length: next.length, text: 'is [redacted]' },
    });
  });

  test('that cannot be read keep it from starting, with the place and the reason', async () => {
    const world = worldOf(runtime, { file: 'key' });
    const { host, session } = await open(world);
    const record = await callIn(host, session, 'show');
    expect(record).toMatchObject({ outcome: 'crashed' });
    expect(record.text).toContain('plugins.settings.p.key: the file');
    const [status] = (await host.listPlugins()).filter(({ id }) => id === 'p');
    expect(status).toMatchObject({ state: 'error', error: expect.stringContaining('ENOENT') });
  });

  test("are not a project's to say", async () => {
    const world = worldOf(runtime, undefined);
    rmSync(world.write('home/config.json', '{}'));
    world.write('root/.toolpost/config.json', { plugins: { settings: { p: { unit: 'F', key: { cmd: ['true'] } } } } });
    const { host, session } = await open(world);
    expect(await callIn(host, session, 'show')).toMatchObject({ structuredContent: { length: 0 } });
  });
});

test('a process that crashed is started with what its settings are by then', async () => {
  const world = worldOf('stdio', 'file:key');
  world.write('home/key', SECRET);
  const { host, session } = await open(world);
  expect(await callIn(host, session, 'die')).toMatchObject({ outcome: 'crashed' });
  world.write('home/key', 'short-key');
  expect(await callIn(host, session, 'show')).toMatchObject({ structuredContent: { length: 9 } });
});
