import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST_VERSION } from '../version.ts';
import { bearer, createServerWorld, followUntil, isTurnEnd, type ServerWorld, TOKEN } from './fixtures/server-world.ts';
import { serve } from './serve.ts';

let world: ServerWorld;
beforeAll(async () => {
  world = await createServerWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const JSON_TYPE = { 'content-type': 'application/json' };

describe('who is answered', () => {
  it('only on 127.0.0.1', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === 'IPv4');
    if (outside) {
      const isOpen = await new Promise((resolve) => {
        const socket = connect({ host: outside.address, port: world.server.port });
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      });
      expect(isOpen).toBe(false);
    }
    expect((await world.raw('/healthz')).status).toBe(200);
  });

  it.each([
    ['no token', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['a wrong one', bearer('the-token-of-the-operatoR')],
    ['the start of the right one', bearer(TOKEN.slice(0, -1))],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['a cookie', { cookie: `token=${TOKEN}` }],
  ])('nobody with %s', async (_, headers) => {
    for (const path of ['/api/sessions', '/api/sessions/x/events', '/api/nothing', `/api/sessions?token=${TOKEN}`]) {
      const answer = await world.raw(path, { headers });
      expect(answer.status, path).toBe(401);
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(answer.text)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    }
  });

  it.each(['evil.example', 'localhost', '127.0.0.1', 'localhost:1', '127.0.0.1.evil.example:80'])(
    'nobody who calls it %j',
    async (host) => {
      const answer = await world.raw('/', { headers: { host } });
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([403, 'FORBIDDEN']);
    },
  );

  it('no page of another origin, and no page is let in by CORS', async () => {
    const { port } = world.server;
    const ask = (origin: string, host = `127.0.0.1:${port}`) =>
      world.raw('/api/status', { headers: { ...bearer(), origin, host } });
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, `http://localhost:${port}`])
      expect((await ask(origin)).status, origin).toBe(403);
    const own = await ask(`http://localhost:${port}`, `localhost:${port}`);
    expect(own.status).toBe(200);
    expect(
      Object.keys(own.headers).filter((name) => name.startsWith('access-control') || name === 'set-cookie'),
    ).toEqual([]);
    expect((await world.raw('/api/status', { method: 'OPTIONS', headers: bearer() })).status).toBe(405);
  });
});

describe('what is asked', () => {
  const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
    world.raw('/api/sessions', { method: 'POST', headers: { ...bearer(), ...headers }, body });

  it.each([
    ['no JSON', '{"title":', /not JSON/],
    ['an unknown field', '{"tilte":"x"}', /tilte/],
    ['a tenant', '{"tenant":"acme"}', /tenant/],
    ['a user', '{"user":"ann"}', /user/],
    ['a wrong type', '{"title":5}', /title: /],
    ['a list', '[]', /the body: /],
  ])('with %s is refused, with the place', async (_, body, detail) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'REQUEST_INVALID', detail: expect.stringMatching(detail) });
  });

  it('as something else than JSON is refused: a form of another page may send that', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('{}', {})).status).toBe(415);
  });

  it('at great length is refused, whether it says so or not', async () => {
    const body = JSON.stringify({ title: 'x'.repeat(5 * 1024 * 1024) });
    expect((await post(body)).status).toBe(413);
    expect((await post(body, { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).status).toBe(413);
  });

  it('under an unknown address or id is a problem with a code', async () => {
    const headers = bearer();
    expect(JSON.parse((await world.raw('/nothing')).text)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    for (const path of [
      '/api/sessions/none',
      '/api/sessions/..%2f..',
      '/api/sessions/none/events',
      '/api/sessions/none/calls',
    ])
      expect(JSON.parse((await world.raw(path, { headers })).text), path).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const limit = await world.raw('/api/sessions?limit=0', { headers });
    expect(JSON.parse(limit.text)).toMatchObject({ code: 'REQUEST_INVALID', detail: expect.stringContaining('limit') });
  });
});

describe('a method that an address does not take', () => {
  it.each([
    ['PUT', '/api/sessions/some-id', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/api/sessions', 'GET, HEAD, POST'],
    ['GET', '/api/sessions/some-id/cancel', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('%s %s is told which ones it takes', async (method, path, allow) => {
    const answer = await world.raw(path, { method, headers: bearer() });
    expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      detail: expect.stringContaining(allow),
    });
  });

  it('tells nobody without a token what there is', async () => {
    expect((await world.raw('/api/sessions/some-id', { method: 'PUT' })).status).toBe(401);
  });
});

describe('the page', () => {
  it('loads without a token, is of this server alone, and links to what describes it', async () => {
    const page = await world.raw('/');
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.text).toContain(`Toolpost ${HOST_VERSION}`);
    for (const link of ['/openapi.json', '/docs']) expect(page.text).toContain(`href="${link}"`);
    const docs = (await world.raw('/docs')).text;
    expect(docs).toContain('<code>POST /api/sessions/{id}/messages</code>');
    expect(docs).not.toContain('undefined');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script>|style="|onclick/);
    for (const [, file = ''] of page.text.matchAll(/(?:href|src)="(\/[^"]*)"/g))
      expect((await world.raw(file)).status, file).toBe(200);
  });

  it('gets the token once for a link', async () => {
    const code = new URL(world.server.createLink()).hash.slice(1);
    const login = () => world.raw('/api/login', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ code }) });
    expect(JSON.parse((await login()).text)).toEqual({ token: TOKEN });
    expect((await login()).status).toBe(401);
    const { hash } = new URL(await world.client().createLink());
    const body = JSON.stringify({ code: hash.slice(1) });
    const second = await world.raw('/api/login', { method: 'POST', headers: JSON_TYPE, body });
    expect(JSON.parse(second.text)).toEqual({ token: TOKEN });
  });
});

describe('sessions', () => {
  it('are made, found, renamed, forked, cleared, compacted and deleted', async () => {
    const client = world.client();
    const { id } = await client.createSession({ channel: 'web', chatId: 'desk', title: 'First' });
    expect(await client.createSession({ chatId: 'desk' })).toMatchObject({ id, title: 'First' });
    expect(await client.renameSession(id, 'Second')).toMatchObject({ title: 'Second', channel: 'web', chatId: 'desk' });
    expect(await client.setModel(id, 'demo')).toMatchObject({ title: 'Second', model: 'demo' });
    await expect(client.setModel(id, 'nonsense')).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    await client.postMessage(id, { text: 'stream' });
    await followUntil(client, id, isTurnEnd);
    expect(await client.exportSession(id, 'markdown')).toMatch(/^# Second\n[\s\S]*## You\n\nstream\n/);
    const { events } = JSON.parse(await client.exportSession(id, 'json'));
    expect(events).toEqual(world.store.events(id));
    const fork = await client.forkSession(id);
    expect(fork.id).not.toBe(id);
    expect(await client.history(fork.id)).toEqual(await client.history(id));
    await client.clearSession(id);
    expect(await client.history(id)).toEqual([]);
    expect(typeof (await client.compactSession(fork.id))).toBe('boolean');
    await client.deleteSession(id);
    await expect(client.getSession(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    await expect(client.deleteSession(id)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });

  it('are listed page by page, the last changed first, and found by words of their titles', async () => {
    const client = world.client();
    const made: string[] = [];
    for (let index = 0; index < 7; index++)
      made.push((await client.createSession({ channel: 'list', title: `Red number ${index}` })).id);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await client.listSessions({ channel: 'list', limit: 3, ...(cursor !== undefined && { cursor }) });
      seen.push(...page.sessions.map(({ id }) => id));
      cursor = page.next;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(made.toReversed());
    const found = await client.listSessions({ channel: 'list', search: 'number RED 4' });
    expect(found.sessions.map(({ title }) => title)).toEqual(['Red number 4']);
    await expect(client.listSessions({ cursor: 'x' })).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it('have roots inside those that are granted, and no others', async () => {
    const client = world.client();
    world.write('root/sub/a.txt', 'a');
    expect((await client.createSession()).roots).toEqual([world.root]);
    expect((await client.createSession({ roots: [`${world.root}/sub`] })).roots).toEqual([`${world.root}/sub`]);
    for (const root of ['/', world.homeDir, `${world.root}/../home`, 'sub', `${world.root}/gone/\0`])
      await expect(client.createSession({ roots: [root] }), root).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('keep their roots when their chat is opened again without any', async () => {
    const client = world.client();
    world.write('root/sub/a.txt', 'a');
    const roots = [`${world.root}/sub`];
    const { id } = await client.createSession({ chatId: 'narrow', roots });
    expect(await client.createSession({ chatId: 'narrow' })).toMatchObject({ id, roots });
    expect(await client.createSession({ chatId: 'narrow', roots: [world.root] })).toMatchObject({
      id,
      roots: [world.root],
    });
  });

  it('end for those who follow them when they are deleted', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    const connected = Promise.withResolvers<void>();
    const following = client.follow({
      sessionId: id,
      onEvent: () => undefined,
      onConnection: ({ isConnected }) => isConnected && connected.resolve(),
    });
    await connected.promise;
    await client.deleteSession(id);
    await expect(following).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

describe('tools, calls and plugins', () => {
  it('are told as the command tells them', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    const tools = await client.tools(id);
    expect(tools).toEqual(await client.tools());
    expect(tools.find(({ name }) => name === 'stream')).toMatchObject({
      plugin: 'tools',
      runtime: 'native',
      scope: 'global',
    });
    expect(await client.why('stream', id)).toMatchObject({ name: 'stream', visible: true });
    expect(await client.why('streem')).toMatchObject({ visible: false, similar: expect.arrayContaining(['stream']) });
    expect(await client.plugins()).toContainEqual(
      expect.objectContaining({ id: 'tools', state: 'active', processes: [] }),
    );
    expect(await client.reloadPlugins()).toMatchObject({ added: [], removed: [], broken: [] });
    await client.restartPlugin('tools');
    await client.stopPlugin('tools');
    await expect(client.stopPlugin('nobody')).rejects.toMatchObject({ status: 404, code: 'PLUGIN_NOT_FOUND' });
    expect(await client.models()).toMatchObject({ default: 'demo' });
  });

  it('leave records, and the whole of a long result', async () => {
    const client = world.client();
    const { id } = await client.createSession();
    await client.postMessage(id, { text: 'novel' });
    const events = await followUntil(client, id, isTurnEnd);
    const ended = events.find((event) => event.type === 'tool-call-end');
    const { calls, next } = await client.calls(id);
    expect(calls.map(({ seq, record }) => ({ seq, record }))).toEqual([{ seq: ended?.seq, record: ended?.result }]);
    expect(next).toBeUndefined();
    const callId = calls[0]?.record.id ?? '';
    expect(await client.call(id, callId)).toEqual(ended?.result);
    expect((await client.call(id, callId)).text.length).toBeLessThan(200_000);
    expect(await client.callOutput(id, callId)).toBe('word '.repeat(50_000));
    await expect(client.call(id, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const journal = JSON.parse((await world.raw('/api/journal', { headers: bearer() })).text);
    expect(journal.entries).toContainEqual(
      expect.objectContaining({ session: id, tool: 'novel', outcome: 'completed' }),
    );
  });
});

describe('the start', () => {
  it('on a port in use is an error that says what to do', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const { host, store, live } = world;
    await expect(serve({ host, store, sessions: live, token: TOKEN, port })).rejects.toMatchObject({
      code: 'SERVER_FAILED',
      message: expect.stringMatching(/port is in use.*--port/),
    });
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('with a random token keeps it in a file for the owner alone, as long as it runs', async () => {
    const { host, store, homeDir } = world;
    const { createLiveSessions } = await import('../live-sessions/live-sessions.ts');
    const { createServerToken, tokenFile } = await import('./server-token.ts');
    const token = createServerToken({});
    const sessions = createLiveSessions({ host, store });
    const server = await serve({ host, store, sessions, token, port: 0, environment: {} });
    const file = tokenFile(homeDir, server.port);
    expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(token.length).toBeGreaterThan(40);
    await server.close();
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });

  it('with a token that can be guessed is refused', async () => {
    const { createServerToken } = await import('./server-token.ts');
    for (const TOOLPOST_TOKEN of ['short', 'with a blank', 'ümlaut-ümlaut'])
      expect(() => createServerToken({ TOOLPOST_TOKEN })).toThrow(/TOOLPOST_TOKEN has to be/);
  });
});
