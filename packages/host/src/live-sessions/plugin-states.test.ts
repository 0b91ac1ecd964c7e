import type { ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callIn } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';
import { answers, callsTools, createLiveWorld, type LiveWorld } from './fixtures/live-world.ts';
import type { LiveSession } from './live-session.ts';
import type { LiveSessions } from './live-sessions.ts';

let world: LiveWorld;
let host: Host;
let live: LiveSessions;
const endings: (() => void)[] = [];
beforeEach(async () => {
  world = await createLiveWorld();
  world.addProgram('frail', ['oracle', 'die']);
  world.write('home/config.json', { model: world.model, tenants: { acme: {}, other: {} } });
  ({ host, live } = await world.second());
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  await world[Symbol.asyncDispose]();
});

type PluginState = Extract<ToolpostEvent, { type: 'plugin-state' }>;

/** A session that somebody reads, and what it says of plugins. */
async function readSession(tenant = ''): Promise<{ session: LiveSession; states: PluginState[] }> {
  const session = await live.open({ tenant });
  const states: PluginState[] = [];
  endings.push(session.subscribe({}, (event) => event.type === 'plugin-state' && void states.push(event)));
  return { session, states };
}

describe('a session that somebody reads', () => {
  it('is told of a plugin that ends by itself, and that it runs again', async () => {
    const { session, states } = await readSession();
    await callIn(host, session.session, 'oracle');
    expect(states).toEqual([]);
    expect(await callIn(host, session.session, 'die')).toMatchObject({ outcome: 'crashed' });
    expect(states).toMatchObject([{ plugin: 'frail', state: 'crashed', error: expect.stringContaining('7') }]);
    await callIn(host, session.session, 'oracle');
    expect(states.slice(1)).toMatchObject([{ plugin: 'frail', state: 'active' }]);
    expect(states[1]).not.toHaveProperty('error');
    expect(session.events()).toEqual(states);
  });

  it('is told that one was stopped and started again', async () => {
    const { session, states } = await readSession();
    await callIn(host, session.session, 'oracle');
    await host.stopPlugin('frail', { restart: true });
    await host.stopPlugin('frail');
    await host.stopPlugin('frail');
    expect(states.map(({ state }) => state)).toEqual(['stopped', 'active', 'stopped']);
  });

  it('is told of one that cannot be started, once', async () => {
    world.write('plugins/broken/plugin.json', {
      ...{ id: 'broken', name: 'broken', version: '1.0.0', runtime: 'stdio', entry: './no-such-program' },
      permissions: ['tools.register'],
    });
    const other = await world.second();
    const session = await other.live.open();
    endings.push(session.subscribe({}, () => undefined));
    await other.host.listPlugins();
    await other.host.listPlugins();
    expect(session.events()).toMatchObject([{ type: 'plugin-state', plugin: 'broken', state: 'error' }]);
  });

  it("is told of the process of a plugin that serves its tenant, and of no other's", async () => {
    const [own, acme, other] = [await readSession(), await readSession('acme'), await readSession('other')];
    await callIn(host, acme.session.session, 'die');
    expect([own.states, acme.states, other.states].map((states) => states.length)).toEqual([0, 1, 0]);
  });
});

describe('a session', () => {
  it('that nobody reads keeps nothing of that', async () => {
    const session = await live.open();
    await callIn(host, session.session, 'die');
    expect(session.lastSeq).toBe(0);
  });

  it('has it among the events of the turn that runs', async () => {
    world.script.push(callsTools(['die', '{}']), answers('It died.'));
    const session = await live.open();
    expect(await session.turn('go')).toMatchObject({ text: 'It died.' });
    const types = session.events().map(({ type }) => type);
    expect(types.slice(types.indexOf('tool-call-start'))).toEqual([
      ...['tool-call-start', 'plugin-state', 'tool-call-end', 'text-delta', 'usage', 'turn-end'],
    ]);
  });
});
