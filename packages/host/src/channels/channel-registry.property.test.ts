import { rmSync } from 'node:fs';
import type { JsonObject } from '@toolpost/protocol';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callIn, createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';

/** TOOLPOST_SEQUENCES=1000 runs the whole of it, which takes minutes. */
const SEQUENCES = Number(process.env.TOOLPOST_SEQUENCES ?? 25);
const PLUGINS = ['a', 'b', 'c'] as const;
const CHANNELS = [...PLUGINS, 'web', 'cli'];

/** A channel that declares one tool when it is configured, and whatever its control tool is told. */
const PROGRAM = `
import { createInterface } from 'node:readline';
const id = process.argv[2];
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const declare = (tools) => send({ type: 'channel_tools', tools: tools.map((tool) => ({ description: 'd', parameters: [], ...tool })) });
for await (const line of createInterface({ input: process.stdin })) {
  const { id: callId, type, method, params } = JSON.parse(line);
  if (method === 'activate') send({ protocolVersion: 2, tools: [{ name: 'control_' + id, description: 'd', inputSchema: { type: 'object' } }], channel_provider: { name: id } });
  else if (type === 'channel_config') declare([{ name: 'base_' + id }]);
  else if (type === 'rpc' && method === 'ping') send({ id: callId, error: 'unknown method: ping' });
  else if (type === 'rpc') send({ id: callId, result: { content: id + ' ran ' + params.name } });
  else if (method === 'execute_tool') {
    const { tools, exit } = JSON.parse(params.input);
    if (exit) process.exit(3);
    declare(tools);
    send({ id: callId, result: 'declared' });
  } else if (method === 'deactivate') process.exit(0);
}`;

type PluginId = (typeof PLUGINS)[number];
interface Declared {
  readonly name: string;
  readonly channels: readonly string[];
}
interface Step {
  readonly plugin: PluginId;
  readonly act: 'declare' | 'stop' | 'crash' | 'restart';
  readonly tools: readonly Declared[];
}
/** What a plugin has declared, or had when it crashed. */
interface State {
  readonly tools: readonly Declared[];
  readonly isCrashed: boolean;
}

let world: HostWorld;
let host: Host;
const model = new Map<PluginId, State>();
const baseOf = (id: PluginId): State => ({ tools: [{ name: `base_${id}`, channels: [id] }], isCrashed: false });

beforeAll(async () => {
  world = createHostWorld();
  for (const id of PLUGINS) {
    world.write(`plugins/${id}/main.mjs`, PROGRAM);
    const permissions = ['tools.register', 'channels.register'];
    const manifest = { id, name: id, version: '1.0.0', runtime: 'channel', executable: 'node', args: ['main.mjs', id] };
    world.write(`plugins/${id}/plugin.json`, { ...manifest, permissions });
  }
  const enabled = Object.fromEntries(PLUGINS.map((id) => [id, { enabled: true }]));
  world.write('home/config.json', { channels: enabled } as JsonObject);
  host = await world.open();
  await host.listTools(host.openSession());
  for (const id of PLUGINS) model.set(id, baseOf(id));
});
afterAll(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

/** Who has which name in a channel, said plainly: the first in the order; a crash keeps its names from those behind it. */
function expectedIn(channel: string): Record<string, string> {
  const owners: Record<string, string> = { read: 'builtin' };
  for (const id of [...PLUGINS].reverse()) {
    const { tools, isCrashed } = model.get(id) ?? { tools: [], isCrashed: false };
    for (const { name, channels } of tools) {
      if (!channels.includes(channel)) continue;
      if (isCrashed) delete owners[name];
      else owners[name] = id;
    }
  }
  return owners;
}

async function seenIn(channel: string): Promise<Record<string, string>> {
  const { tools } = await host.listTools(host.openSession({ channel }));
  const ours = tools.filter(({ definition: { name } }) => name === 'read' || /^(?:base_|shared|own)/.test(name));
  return Object.fromEntries(ours.map(({ definition: { name }, plugin }) => [name, plugin.id]));
}

async function expectModel(): Promise<void> {
  for (const channel of CHANNELS) expect([channel, await seenIn(channel)]).toEqual([channel, expectedIn(channel)]);
}

const control = (id: PluginId, input: JsonObject) => callIn(host, host.openSession(), `control_${id}`, input);

/** The first tool that a life declares is back. */
function untilBack(id: PluginId): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = async () => {
    if ((await seenIn(id))[`base_${id}`] === id) resolve();
  };
  const stop = host.onToolsChange(() => void look());
  void look();
  return promise.finally(stop);
}

async function take({ plugin: id, act, tools }: Step): Promise<void> {
  if (act === 'declare') {
    expect(await control(id, { tools: [...tools] })).toMatchObject({ outcome: 'completed' });
    model.set(id, { tools: tools.filter(({ channels }) => channels.length > 0), isCrashed: false });
  } else if (act === 'stop') {
    await host.stopPlugin(id);
    model.set(id, { tools: [], isCrashed: false });
  } else if (act === 'restart') {
    await host.stopPlugin(id, { restart: true });
    model.set(id, baseOf(id));
  } else {
    const before = model.get(id)?.tools.length === 0 ? baseOf(id) : model.get(id);
    expect(await control(id, { exit: true })).toMatchObject({ outcome: 'crashed' });
    model.set(id, { tools: before?.tools ?? [], isCrashed: true });
    await expectModel();
    await untilBack(id);
    model.set(id, baseOf(id));
  }
}

const declared = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('read', 'shared', 'shared_too', 'own'),
    channels: fc.uniqueArray(fc.constantFrom(...CHANNELS), { minLength: 1, maxLength: 3 }),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);
const step: fc.Arbitrary<Step> = fc.record({
  plugin: fc.constantFrom(...PLUGINS),
  act: fc.constantFrom('declare', 'declare', 'declare', 'stop', 'crash', 'restart'),
  tools: declared,
});

it(
  `the registry equals a plain model of ${SEQUENCES} sequences of declare, redeclare, stop, crash and restart`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const one of steps) {
          await take(one);
          await expectModel();
        }
        // A new life forgets the crashes before it, which would make the next one wait.
        for (const { plugin, act } of steps) if (act === 'crash') await take({ plugin, act: 'restart', tools: [] });
      }),
      { numRuns: SEQUENCES, endOnFailure: true },
    );
  },
  60_000 + SEQUENCES * 3000,
);
