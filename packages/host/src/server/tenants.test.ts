import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ACME_TOKEN,
  ANN_TOKEN,
  bearer,
  createServerWorld,
  followUntil,
  isTurnEnd,
  OTHER_TOKEN,
  type ServerWorld,
  TOKEN,
} from './fixtures/server-world.ts';

let world: ServerWorld;
let operator: ApiClient;
let acme: ApiClient;
let ann: ApiClient;
let other: ApiClient;

beforeAll(async () => {
  world = await createServerWorld({
    prepare(host) {
      mkdirSync(join(host.dir, 'acme/inner'), { recursive: true });
      mkdirSync(join(host.dir, 'acme-archive'));
      host.write('acme/a.txt', 'of acme');
      host.addProgram('program', ['oracle']);
      host.addProgram('acme_only', ['acme_seal']);
      host.addProgram('for_all', ['shared_bell'], { sharedAcrossTenants: true });
    },
    config: {
      permissions: { allow: ['oracle', 'acme_seal', 'shared_bell', 'stream', 'write'] },
      tenants: {
        acme: {
          tokens: ['env:ACME_TOKEN'],
          users: { ann: { tokens: [ANN_TOKEN] } },
          roots: ['../acme', { path: '../acme-archive', readOnly: true }],
          plugins: ['acme_only'],
          permissions: { deny: ['stream'] },
        },
        other: { tokens: [OTHER_TOKEN] },
      },
    },
  });
  operator = world.client(TOKEN);
  acme = world.client(ACME_TOKEN);
  ann = world.client(ANN_TOKEN);
  other = world.client(OTHER_TOKEN);
});
afterAll(() => world[Symbol.asyncDispose]());

/** Runs one turn, and gives the records of its calls. */
async function say(client: ApiClient, text: string) {
  const { id } = await client.createSession();
  const { position } = await client.postMessage(id, { text });
  const events = await followUntil(client, id, isTurnEnd, position);
  return { id, records: events.flatMap((event) => (event.type === 'tool-call-end' ? [event.result] : [])) };
}

describe('a token says who it is', () => {
  it('of a tenant, and of a user of it', async () => {
    expect(await operator.status()).toMatchObject({ tenant: '', user: '' });
    expect(await acme.status()).toMatchObject({ tenant: 'acme', user: '' });
    expect(await ann.status()).toMatchObject({ tenant: 'acme', user: 'ann' });
    const { id } = await ann.createSession();
    await ann.postMessage(id, { text: 'wait' });
    expect(await Promise.all([operator, ann, acme, other].map(async (who) => (await who.status()).openTurns))).toEqual([
      1, 1, 0, 0,
    ]);
    await ann.cancel(id);
    await followUntil(ann, id, isTurnEnd);
  });

  it('whatever the request says', async () => {
    const headers = { ...bearer(ANN_TOKEN), 'content-type': 'application/json', 'x-tenant': 'other', 'x-user': 'bob' };
    const answer = await world.raw('/api/status?tenant=other&user=bob', { headers });
    expect(JSON.parse(answer.text)).toMatchObject({ tenant: 'acme', user: 'ann' });
  });

  it('and is masked where it comes to light', () => {
    expect(world.host.redact(`${ACME_TOKEN} ${ANN_TOKEN} ${TOKEN}`)).toBe('[redacted] [redacted] [redacted]');
  });
});

describe("a tenant's own", () => {
  it('sessions are nobody else’s: another’s is answered as one that is not there', async () => {
    const { id } = await acme.createSession({ title: 'Secret plan' });
    const none = '019a0000-0000-7000-8000-000000000000';
    const paths = [
      '',
      '/events',
      '/messages',
      '/approvals',
      '/tools',
      '/why/read',
      '/calls',
      '/calls/1',
      '/calls/1/output',
      '/export',
    ];
    for (const token of [OTHER_TOKEN, ANN_TOKEN, TOKEN]) {
      for (const path of paths) {
        const [theirs, unknown] = await Promise.all(
          [id, none].map((one) => world.raw(`/api/sessions/${one}${path}`, { headers: bearer(token) })),
        );
        expect(theirs?.status, path).toBe(404);
        expect(theirs?.text.replaceAll(id, 'ID'), path).toBe(unknown?.text.replaceAll(none, 'ID'));
      }
    }
    for (const client of [other, ann, operator]) {
      const attempts = [
        client.renameSession(id, 'x'),
        client.deleteSession(id),
        client.forkSession(id),
        client.clearSession(id),
        client.compactSession(id),
        client.postMessage(id, { text: 'hi' }),
        client.cancel(id),
        client.answerApproval(id, 'x', { answer: 'once' }),
        client.follow({ sessionId: id, onEvent: () => undefined }),
      ];
      for (const attempt of await Promise.allSettled(attempts))
        expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'SESSION_NOT_FOUND' } });
      expect(JSON.stringify(await client.listSessions())).not.toContain('Secret plan');
    }
    expect(await acme.getSession(id)).toMatchObject({ title: 'Secret plan' });
  });

  it('chats are its own: the same chat is another session for each tenant and user', async () => {
    const ids = await Promise.all(
      [operator, acme, other].map(async (client) => (await client.createSession({ chatId: 'desk' })).id),
    );
    expect(new Set(ids).size).toBe(3);
    await expect(ann.createSession({ chatId: 'desk' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('roots are its own; one without any has none', async () => {
    expect(await acme.createSession()).toMatchObject({
      roots: [join(world.dir, 'acme'), join(world.dir, 'acme-archive')],
      readOnlyRoots: [join(world.dir, 'acme-archive')],
    });
    expect((await acme.createSession({ roots: [join(world.dir, 'acme/inner')] })).roots).toEqual([
      join(world.dir, 'acme/inner'),
    ]);
    await expect(acme.createSession({ roots: [world.root] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const gone = acme.createSession({ roots: [join(world.dir, 'nowhere')] });
    await expect(gone).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await other.createSession()).roots).toEqual([]);
    await expect(other.createSession({ roots: [world.root] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('read-only root stays as it is', async () => {
    const { id } = await acme.createSession();
    const { session } = await world.live.resume(id, { tenant: 'acme', user: '' });
    const write = (path: string) =>
      world.host.callTool(
        { id: 'w', name: 'write', arguments: JSON.stringify({ file_path: path, content: 'x' }) },
        session,
      );
    expect(await write(join(world.dir, 'acme-archive/new.txt'))).toMatchObject({
      outcome: 'failed',
      text: expect.stringMatching(/may only read/),
    });
    expect(await write('new.txt')).toMatchObject({ outcome: 'completed' });
  });

  it('tools and plugins are seen by nobody else', async () => {
    const names = async (client: ApiClient) => (await client.tools()).map(({ name }) => name);
    expect(await names(acme)).toContain('acme_seal');
    for (const client of [operator, other]) expect(await names(client)).not.toContain('acme_seal');
    const ids = async (client: ApiClient) => (await client.plugins()).map(({ id }) => id);
    expect(await ids(acme)).toContain('acme_only');
    expect(await ids(ann)).toContain('acme_only');
    expect(await ids(other)).not.toContain('acme_only');
    expect(await ids(operator)).toContain('acme_only');
    const [theirs, nobodys] = [await other.why('acme_seal'), await other.why('acme_xeal')];
    expect({ ...theirs, name: '' }).toEqual({ ...nobodys, name: '' });
    expect(await acme.why('acme_seal')).toMatchObject({ visible: true });
    expect(await operator.why('acme_seal')).toMatchObject({ candidates: [{ status: 'wrong-tenant' }] });
    await expect(other.restartPlugin('acme_only')).rejects.toMatchObject({ code: 'PLUGIN_NOT_FOUND' });
    await expect(acme.reloadPlugins()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('rules hold beside those of everybody, and for nobody else', async () => {
    expect((await say(acme, 'stream')).records[0]).toMatchObject({
      outcome: 'denied',
      text: expect.stringContaining('tenants.acme'),
    });
    expect((await say(other, 'stream')).records[0]).toMatchObject({ outcome: 'completed' });
  });

  it('processes are its own, and so are what it sees and ends of them', async () => {
    const pidOf = async (client: ApiClient) =>
      JSON.parse((await say(client, 'oracle')).records[0]?.text ?? '{}').pid as number;
    const [mine, theirs] = [await pidOf(acme), await pidOf(other)];
    expect(mine).not.toBe(theirs);
    const processesOf = async (client: ApiClient) =>
      (await client.plugins()).find(({ id }) => id === 'program')?.processes.map(({ pid }) => pid);
    expect(await processesOf(acme)).toEqual([mine]);
    expect(await processesOf(other)).toEqual([theirs]);
    expect(await processesOf(operator)).toEqual(expect.arrayContaining([mine, theirs]));
    expect(JSON.stringify(await acme.plugins())).not.toContain(world.pluginsDir);
    await acme.restartPlugin('program');
    expect(await pidOf(other)).toBe(theirs);
    expect(await pidOf(acme)).not.toBe(mine);
  });

  it('users, and plugins that serve others too, are not for it to stop', async () => {
    await expect(ann.stopPlugin('program')).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    await expect(acme.stopPlugin('for_all')).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    await expect(acme.stopPlugin('tools')).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    await operator.stopPlugin('for_all');
  });

  it('journal is its own', async () => {
    const { id } = await say(other, 'oracle');
    const entriesOf = async (token: string) =>
      JSON.stringify(JSON.parse((await world.raw('/api/journal', { headers: bearer(token) })).text));
    expect(await entriesOf(OTHER_TOKEN)).toContain(id);
    for (const token of [TOKEN, ACME_TOKEN, ANN_TOKEN]) expect(await entriesOf(token)).not.toContain(id);
  });

  it('model may have no address, which the key would be sent to', async () => {
    const model = 'openai-compatible:m@http://127.0.0.1:1/v1';
    await expect(acme.createSession({ model })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const { id } = await acme.createSession();
    await expect(acme.postMessage(id, { text: 'x', model })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a token that nobody could tell from another', () => {
  it('stops the start', async () => {
    const twice = createServerWorld({
      config: { tenants: { a: { tokens: [OTHER_TOKEN] }, b: { tokens: [OTHER_TOKEN] } } },
    });
    await expect(twice).rejects.toThrow(/tenants\.a and tenants\.b have the same token/);
  });
});
