import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRecord, EventBody, Session } from '@toolpost/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServerWorld, followUntil, isTurnEnd, type ServerWorld } from './fixtures/server-world.ts';

/** TOOLPOST_TEST_TENANTS=100 is the full size: so many tenants, each with so many calls at once. */
const SCALE = Number(process.env.TOOLPOST_TEST_TENANTS ?? '25');
const TENANTS = Array.from({ length: SCALE }, (_, index) => `tenant-${index}`);
const tokenOf = (tenant: string) => `the-token-of-${tenant}-alone`;

/** Leaves its secret wherever a call can leave something, lets the others run, and tells what it finds there. */
const MIXER = `
import { definePlugin, defineTool } from '@toolpost/sdk';
const inputSchema = { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] };
const others = () => new Promise((done) => (Math.random() < 0.5 ? setImmediate(done) : setTimeout(done, Math.random() * 5)));
export default definePlugin({ tools: [
  defineTool({ name: 'mixer', description: 'Mixes.', inputSchema, async execute({ secret }, { output, storage, session, roots, toolCallId }) {
    await storage.set('latest', session.tenant);
    await storage.shared.set('latest', session.tenant);
    await others();
    output(secret + '\\n');
    await others();
    const latest = [await storage.get('latest'), await storage.shared.get('latest')];
    return JSON.stringify({ secret, latest, tenant: session.tenant, session: session.id, roots, toolCallId });
  } }),
] });`;

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld({
    prepare(host) {
      for (const tenant of TENANTS) mkdirSync(join(host.dir, tenant));
      host.addNative('mixer', MIXER, { permissions: ['tools.register', 'storage.private', 'storage.shared'] });
      host.addProgram('for_all', ['shared_bell'], { sharedAcrossTenants: true });
    },
    config: {
      permissions: { allow: ['mixer', 'shared_bell'] },
      tenants: Object.fromEntries(
        TENANTS.map((tenant) => [tenant, { tokens: [tokenOf(tenant)], roots: [`../${tenant}`] }]),
      ),
    },
  });
});
afterAll(() => world[Symbol.asyncDispose]());

interface Call {
  readonly session: Session;
  readonly secret: string;
  readonly record: CallRecord;
  readonly events: readonly EventBody[];
}

/** Every tenant makes as many calls at once as there are tenants, in turn over all tenants. */
function callAll(name: string): Promise<Call[]> {
  const sessions = TENANTS.map((tenant) => world.host.openSession({ tenant }));
  const calls = TENANTS.flatMap((_, round) => sessions.map((session) => callOnce(name, session, round)));
  return Promise.all(calls);
}

async function callOnce(name: string, session: Session, round: number): Promise<Call> {
  const secret = `secret ${round} of ${session.tenant}`;
  const events: EventBody[] = [];
  const call = { id: `call-${round}`, name, arguments: JSON.stringify({ secret }) };
  const record = await world.host.callTool(call, session, { onEvent: (event) => void events.push(event) });
  return { session, secret, record, events };
}

it(`${SCALE} tenants with ${SCALE} calls at once in one process: each call has its own tenant, session, roots, storage and output`, async () => {
  for (const { session, secret, record, events } of await callAll('mixer')) {
    const { tenant, id } = session;
    const root = join(world.dir, tenant);
    const own = { secret, latest: [tenant, tenant], tenant, session: id, roots: [root], toolCallId: record.id };
    expect({ outcome: record.outcome, ...JSON.parse(record.text) }).toEqual({ outcome: 'completed', ...own });
    const streamed = events.flatMap((event) => (event.type === 'tool-output-delta' ? [event.text] : []));
    expect(streamed.join('')).toBe(`${secret}\n`);
  }
}, 120_000);

it('and so it is in a program that serves all of them', async () => {
  const pids = new Set<number>();
  for (const { session, secret, record } of await callAll('shared_bell')) {
    const { input, context, pid } = JSON.parse(record.text);
    pids.add(pid);
    const { id, tenant, roots } = session;
    expect({ input, context }).toMatchObject({ input: { secret }, context: { sessionId: id, tenant, roots } });
  }
  expect(pids.size).toBe(1);
}, 120_000);

it('journals are each of one tenant', async () => {
  for (const tenant of TENANTS) {
    const entries = await world.host.readJournal({ tenant, user: '', limit: 10 });
    expect(entries.length).toBeGreaterThan(0);
    const others = new Set(JSON.stringify(entries).match(/tenant-\d+/g));
    expect([...others]).toEqual([tenant]);
  }
});

it('turns over HTTP at once: the events of each are of its own session', async () => {
  const turns = TENANTS.map(async (tenant) => {
    const client = world.client(tokenOf(tenant));
    const { id } = await client.createSession();
    const { position } = await client.postMessage(id, { text: `mixer secret="what ${tenant} knows"` });
    return { tenant, id, events: await followUntil(client, id, isTurnEnd, position) };
  });
  for (const { tenant, id, events } of await Promise.all(turns)) {
    expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set([id]));
    const text = JSON.stringify(events);
    expect(text).toContain(`what ${tenant} knows`);
    expect([...new Set(text.match(/tenant-\d+/g))]).toEqual([tenant]);
  }
}, 120_000);
