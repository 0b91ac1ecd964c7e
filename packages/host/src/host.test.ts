import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool } from '@toolpost/sdk';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import { namesIn, open } from './fixtures/open-host.ts';
import { openTrust } from './open-trust.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('what a plugin gets', () => {
  const storing = `
    import { defineTool, definePlugin } from '@toolpost/sdk';
    export default definePlugin({ tools: [
      defineTool({ name: 'keep', description: 'd', execute: async ({ value }, { storage }) => { await storage.set('k', value); return 'kept'; } }),
      defineTool({ name: 'show', description: 'd', execute: async (_, { storage }) => ({ found: (await storage.get('k')) ?? null }) }),
      defineTool({ name: 'settings', description: 'd', execute: (_, { settings }) => settings }),
    ] });`;

  test('storage of its own for each tenant, that a later host still has', async () => {
    const world = createHostWorld();
    world.addNative('keeper', storing, { permissions: ['tools.register', 'storage.private'] });
    const first = await open(world);
    const [ann, bob] = ['ann', 'bob'].map((tenant) => first.host.openSession({ tenant }));
    if (!ann || !bob) throw new Error('no sessions');
    await callIn(first.host, ann, 'keep', { value: { of: 'ann' } });
    expect((await callIn(first.host, bob, 'show')).structuredContent).toEqual({ found: null });
    expect((await callIn(first.host, first.session, 'show')).structuredContent).toEqual({ found: null });
    const second = await open(world);
    const again = second.host.openSession({ tenant: 'ann' });
    expect((await callIn(second.host, again, 'show')).structuredContent).toEqual({ found: { of: 'ann' } });
  });

  test('without the permission, an error that names it', async () => {
    const world = createHostWorld();
    world.addNative('keeper', storing);
    const { host, session } = await open(world);
    const record = await callIn(host, session, 'keep', { value: 1 });
    expect(record).toMatchObject({ outcome: 'failed', text: expect.stringContaining('"storage.private"') });
  });

  test('its settings: the defaults of its manifest, overlaid by the configuration', async () => {
    const world = createHostWorld();
    const properties = { unit: { type: 'string', default: 'celsius' }, days: { type: 'number', default: 3 } };
    world.addNative('keeper', storing, { contributes: { configuration: { properties } } });
    world.write('home/config.json', { plugins: { settings: { keeper: { days: 7 } } } });
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'settings')).structuredContent).toEqual({ unit: 'celsius', days: 7 });
  });
});

describe('projects', () => {
  const native = `
    import { defineTool, definePlugin } from '@toolpost/sdk';
    const tool = (name) => defineTool({ name, description: 'd', execute: () => name + ' in ' + process.pid });
    export default definePlugin({ tools: [tool('project_tool'), tool('read'), tool('global_tool')] });`;

  async function worldWithProject(): Promise<HostWorld> {
    const world = createHostWorld();
    world.addNative('local', native, {}, 'root/.toolpost/plugins/local');
    world.addProgram('global', ['global_tool']);
    return world;
  }

  async function trust(world: HostWorld, root = world.root): Promise<void> {
    const store = await openTrust({ TOOLPOST_HOME: world.homeDir });
    const check = store.check(root);
    if (check.status === 'refused') throw check.error;
    store.accept(check.files);
  }

  test('are ignored until trusted, and a warning says how', async () => {
    const world = await worldWithProject();
    expect(await namesIn(world)).toEqual(['global_tool']);
    expect(world.warnings.join('\n')).toMatch(/toolpost trust/);
  });

  test('once trusted, run in a process of their own and take no name of another', async () => {
    const world = await worldWithProject();
    await trust(world);
    const { host, session } = await open(world);
    const snapshot = await host.listTools(session);
    const owner = (name: string) => snapshot.find(name)?.plugin.id;
    expect(['project_tool', 'read', 'global_tool'].map(owner)).toEqual(['local', 'builtin', 'global']);
    const pid = Number((await callIn(host, session, 'project_tool')).text.split(' ').at(-1));
    expect(pid).not.toBe(process.pid);
    expect(isAlive(pid)).toBe(true);
  });

  test('a change after they were trusted is noticed right before they are started', async () => {
    const world = await worldWithProject();
    await trust(world);
    const { host, session } = await open(world);
    world.write('root/.toolpost/plugins/local/index.mjs', `${native}\n// changed`);
    expect((await host.listTools(session)).find('project_tool')).toBeUndefined();
    expect((await host.listPlugins()).find(({ id }) => id === 'local')?.error).toMatch(/changed since.*toolpost trust/);
  });

  test('a change while a plugin runs is noticed before it is started again', async () => {
    const world = createHostWorld();
    world.addProgram('local', ['die', 'answer'], {}, 'root/.toolpost/plugins/local');
    await trust(world);
    const { host, session } = await open(world);
    expect((await callIn(host, session, 'answer')).outcome).toBe('completed');
    world.write('root/.toolpost/plugins/local/other.mjs', 'new');
    expect((await callIn(host, session, 'answer')).outcome).toBe('completed');
    expect((await callIn(host, session, 'die')).outcome).toBe('crashed');
    expect(await callIn(host, session, 'answer')).toMatchObject({
      outcome: 'crashed',
      text: expect.stringMatching(/changed since.*toolpost trust/),
    });
    expect(world.starts('local')).toBe(1);
  });

  test('in a root inside another root, a change of its own files counts', async () => {
    const world = createHostWorld();
    world.addProgram('outer', ['outer_tool'], {}, 'root/.toolpost/plugins/outer');
    world.addProgram('inner', ['inner_tool'], {}, 'root/sub/.toolpost/plugins/inner');
    const roots = [world.root, join(world.root, 'sub')];
    for (const root of roots) await trust(world, root);
    const { host, session } = await open(world, { roots });
    world.write('root/sub/.toolpost/plugins/inner/main.mjs', 'changed');
    expect((await host.listTools(session)).find('outer_tool')).toBeDefined();
    expect((await host.listPlugins()).find(({ id }) => id === 'inner')?.error).toMatch(/changed since.*root\/sub/);
    expect(world.starts('inner')).toBe(0);
  });
});

describe('embedded', () => {
  const greet = defineTool({
    name: 'greet',
    description: 'Greets.',
    inputSchema: z.object({ name: z.string().min(2), times: z.int().default(1) }),
    execute: ({ name, times }) => `Hello, ${name}! `.repeat(times).trimEnd(),
  });

  test("tools of the program are called like any plugin's, with what zod adds", async () => {
    const world = createHostWorld();
    const { host, session } = await open(world, { tools: [greet] });
    expect(await callIn(host, session, 'greet', { name: 'Bob', times: '2' })).toMatchObject({
      outcome: 'completed',
      plugin: 'app',
      text: 'Hello, Bob! Hello, Bob!',
    });
    expect((await callIn(host, session, 'greet', { name: 'B' })).isError).toBe(true);
  });

  test('several hosts in one process do not see one another', async () => {
    const world = createHostWorld();
    const one = await open(world, { tools: [greet] });
    const other = await open(world);
    expect((await callIn(one.host, one.session, 'greet', { name: 'Bob' })).outcome).toBe('completed');
    expect((await callIn(other.host, other.session, 'greet', { name: 'Bob' })).outcome).toBe('not-found');
  });
});

describe('closing', () => {
  test('leaves no process, ends calls in flight, and starts nothing again', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    const { pid } = JSON.parse((await callIn(host, session, 'a1')).text) as { pid: number };
    expect(isAlive(pid)).toBe(true);
    const inFlight = Array.from({ length: 20 }, () => callIn(host, session, 'a1'));
    await host.close();
    expect(isAlive(pid)).toBe(false);
    for (const { outcome } of await Promise.all(inFlight)) expect(['completed', 'crashed']).toContain(outcome);
    expect((await callIn(host, session, 'a1')).outcome).toBe('crashed');
    expect(world.starts('one')).toBe(1);
  });

  test('may be asked for twice, and while plugins still start', async () => {
    const world = createHostWorld();
    world.addProgram('one', ['a1']);
    const { host, session } = await open(world);
    const listing = host.listTools(session);
    await Promise.all([host.close(), host.close()]);
    await listing;
    expect(world.warnings).toEqual([]);
    rmSync(world.pluginsDir, { recursive: true });
    expect(existsSync(world.pluginsDir)).toBe(false);
  });
});

test('the ids of sessions are unique and sort in the order of their making', async () => {
  const { host } = await open(createHostWorld());
  const ids = Array.from({ length: 20_000 }, () => host.openSession().id);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
