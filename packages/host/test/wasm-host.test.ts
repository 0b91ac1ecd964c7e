import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@toolpost/protocol';
import { afterEach, expect, test } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from '../src/fixtures/host-world.ts';
import type { Host } from '../src/host.ts';
import { copyHome, GUEST_FILE, loadGuest } from '../src/runtimes/wasm/fixtures/load-guest.ts';

const opened: Host[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((host) => host.close()));
});

/** A world with the guest in a folder of its own; its component is transpiled once for all of them. */
async function createWorld(manifest: JsonObject = {}, config?: JsonObject): Promise<HostWorld> {
  const world = createHostWorld();
  await (await loadGuest()).plugin.close();
  copyHome(world.homeDir);
  const base = { id: 'guest', version: '1.0.0', runtime: 'wasm', entry: 'guest.wasm', permissions: ['tools.register'] };
  world.write('plugins/guest/plugin.json', { ...base, ...manifest });
  copyFileSync(GUEST_FILE, join(world.pluginsDir, 'guest/guest.wasm'));
  if (config) world.write('home/config.json', config);
  return world;
}

async function open(world: HostWorld) {
  const host = await world.open();
  opened.push(host);
  return { host, session: host.openSession() };
}

test('a lone file is a plugin, and what is broken beside it is an error of its own', async () => {
  const world = await createWorld();
  rmSync(join(world.pluginsDir, 'guest'), { recursive: true });
  copyFileSync(GUEST_FILE, join(world.pluginsDir, 'lone.wasm'));
  world.write('plugins/text.wasm', 'no component');
  const { host, session } = await open(world);
  const tools = await host.listTools(session);
  expect(tools.find('guest')?.plugin).toMatchObject({ id: 'lone', runtime: 'wasm' });
  const states = new Map((await host.listPlugins()).map(({ id, state, error }) => [id, { state, error }]));
  expect(states.get('lone')).toMatchObject({ state: 'active' });
  expect(states.get('text')).toMatchObject({
    state: 'error',
    error: expect.stringContaining('is no WebAssembly file'),
  });
});

test('its tools are listed from the cache, and its call needs no transpiler', async () => {
  const world = await createWorld();
  const first = await open(world);
  await first.host.listTools(first.session);
  await callIn(first.host, first.session, 'guest', { op: 'echo', text: 'first' });
  const cached = join(world.homeDir, 'cache/wasm');
  const entries = () => readdirSync(cached).map((name) => [name, statSync(join(cached, name)).mtimeMs]);
  const before = entries();
  const { host, session } = await open(world);
  expect((await host.listTools(session)).find('guest')?.definition.primaryArg).toBe('file');
  expect(await callIn(host, session, 'guest', { op: 'echo', text: 'warm' })).toMatchObject({ text: 'warm' });
  // Whatever is transpiled is written there anew.
  expect(entries()).toEqual(before);
});

test('grants come from toolPolicy: those of the plugin, and those of all', async () => {
  const toolPolicy = {
    '*': { env: ['GUEST_A'], memoryMb: 16 },
    guest: { env: ['GUEST_B'], spawn: true },
    other: { env: ['GUEST_C'] },
  };
  const world = await createWorld({}, { toolPolicy });
  const environment = { ...process.env, TOOLPOST_HOME: world.homeDir, GUEST_A: 'a', GUEST_B: 'b', GUEST_C: 'c' };
  const host = await world.open({ environment });
  opened.push(host);
  const session = host.openSession();
  expect((await callIn(host, session, 'guest', { op: 'env' })).text.split('\n').toSorted()).toEqual([
    '',
    'GUEST_A=a',
    'GUEST_B=b',
  ]);
  expect((await callIn(host, session, 'guest', { op: 'spawn', command: 'pwd' })).text).toContain(world.root);
  const { text } = await callIn(host, session, 'guest', { op: 'memory', mib: 64 });
  expect(Number.parseInt(text, 10)).toBeLessThan(16);
});

test('a call past its deadline is released at once, a trap is crashed, and the next call works', async () => {
  const { host, session } = await open(await createWorld());
  await callIn(host, session, 'guest', { op: 'echo', text: '' });
  const startedAt = performance.now();
  const looped = await callIn(host, session, 'guest', { op: 'loop' }, { timeoutMs: 300 });
  expect(looped.outcome).toBe('timed-out');
  expect(performance.now() - startedAt).toBeLessThan(300 + 250);
  const trapped = await callIn(host, session, 'guest', { op: 'trap' });
  expect(trapped).toMatchObject({ outcome: 'crashed', text: expect.stringMatching(/trapped: .*unreachable/) });
  expect(await callIn(host, session, 'guest', { op: 'echo', text: 'next' })).toMatchObject({
    outcome: 'completed',
    text: 'next',
  });
});

test('neither the start of an instance nor the wait for it counts into the deadline', async () => {
  const { host, session } = await open(await createWorld());
  const long = callIn(host, session, 'guest', { op: 'sleep', ms: 1500, tag: 'long' });
  const short = callIn(host, session, 'guest', { op: 'echo', text: 'short' }, { timeoutMs: 1000 });
  expect(await short).toMatchObject({ outcome: 'completed', text: 'short' });
  expect(await long).toMatchObject({ outcome: 'completed', text: 'long' });
});

test('a caller that gives up while it waits leaves, and its place serves the next', async () => {
  const { host, session } = await open(await createWorld());
  const long = callIn(host, session, 'guest', { op: 'sleep', ms: 500, tag: 'long' });
  const controller = new AbortController();
  const abortSignal = controller.signal;
  const file = join(session.roots[0] ?? '', 'never.txt');
  const waiting = callIn(host, session, 'guest', { op: 'write', file, text: 'x' }, { abortSignal });
  controller.abort();
  expect((await waiting).outcome).toBe('cancelled');
  expect((await long).outcome).toBe('completed');
  expect(await callIn(host, session, 'guest', { op: 'count' })).toMatchObject({ text: '2' });
  expect(existsSync(file)).toBe(false);
});

test('two sessions have two instances, each with its own roots', async () => {
  const world = await createWorld();
  const { host, session } = await open(world);
  const other = host.openSession({ chatId: 'other', roots: [world.dir] });
  await callIn(host, session, 'guest', { op: 'write', file: 'here.txt', text: 'x' });
  await callIn(host, other, 'guest', { op: 'write', file: 'there.txt', text: 'y' });
  expect(readFileSync(join(world.root, 'here.txt'), 'utf8')).toBe('x');
  expect(readFileSync(join(world.dir, 'there.txt'), 'utf8')).toBe('y');
});

test('what the guest says is in the log file of the plugin, secrets masked as everywhere', async () => {
  const world = await createWorld();
  const environment = { ...process.env, TOOLPOST_HOME: world.homeDir, TOOLPOST_TOKEN: 'a-secret-of-the-host' };
  const host = await world.open({ environment });
  opened.push(host);
  await callIn(host, host.openSession(), 'guest', { op: 'print', text: 'a-secret-of-the-host' });
  const log = readFileSync(join(world.homeDir, 'logs/guest.log'), 'utf8');
  expect(log).toMatch(/ info out /);
  expect(log).not.toContain('a-secret-of-the-host');
});
