import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createApiClient, type ToolpostEvent } from '@toolpost/protocol';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';
import { createLiveSessions } from '../live-sessions/live-sessions.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { followUntil, isTurnEnd } from './fixtures/server-world.ts';
import { createServerApp, type Identity, type ServerApp } from './serve.ts';

const TOOLS = `
import { definePlugin, defineTool } from '@toolpost/sdk';
export default definePlugin({ tools: [defineTool({ name: 'whose', description: 'Tells whose call it is.', execute: (_, { session, output }) => {
  output('telling\\n');
  return session.tenant + '/' + session.user;
} })] });`;

let world: HostWorld;
let host: Host;
let store: SessionStore;
let api: ServerApp;
let server: Server | undefined;
const warnings: string[] = [];

beforeEach(async () => {
  world = createHostWorld();
  world.addNative('tools', TOOLS);
  world.write('home/config.json', { model: 'demo' });
  host = await world.open({ roots: [] });
  store = createSessionStore(world.homeDir);
  api = await createServerApp({
    host,
    store,
    sessions: createLiveSessions({ host, store }),
    authorize: async ({ headers }) => identityOf(headers.get('authorization')),
    origins: ['https://shop.example'],
    onWarning: (message) => void warnings.push(message),
  });
});
afterEach(async () => {
  await api.close();
  server?.closeAllConnections();
  await new Promise((closed) => (server ? server.close(closed) : closed(undefined)));
  await host.close();
  store.close();
  rmSync(world.dir, { recursive: true, force: true });
});

/** `Bearer ann@acme`: anybody is who they say, as in no real program. */
function identityOf(authorization: string | null): Identity | undefined {
  const [, user, tenant] = /^Bearer (\w*)@(\w*)$/.exec(authorization ?? '') ?? [];
  return tenant === undefined ? undefined : { tenant, user };
}

const SERVERS: Readonly<Record<string, (api: ServerApp) => Server>> = {
  'an app of Hono': ({ fetch }) => {
    const app = new Hono();
    app.mount('/agents', fetch);
    return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  },
  'a plain handler of Node, as Express calls it': ({ handle }) =>
    createServer((incoming, outgoing) => {
      incoming.url = incoming.url?.replace(/^\/agents/, '') ?? '';
      handle(incoming, outgoing);
    }).listen(0, '127.0.0.1'),
};

async function listening(kind: string): Promise<string> {
  const started = SERVERS[kind]?.(api) ?? createServer();
  server = started;
  if (!started.listening) await new Promise((ready) => started.once('listening', ready));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/agents`;
}

const clientOf = (baseUrl: string, token: string) => createApiClient({ baseUrl, token, environment: globalThis });

describe.each(Object.keys(SERVERS))('the API inside %s', (kind) => {
  it('serves turns and their events to who is authorized, each tenant and user its own', async () => {
    const baseUrl = await listening(kind);
    const [ann, bob] = [clientOf(baseUrl, 'ann@acme'), clientOf(baseUrl, 'bob@other')];
    const { id, channel } = await ann.createSession();
    expect(channel).toBe('web');
    await ann.postMessage(id, { text: 'use whose' });
    const events = await followUntil(ann, id, isTurnEnd);
    const end = events.find((event: ToolpostEvent) => event.type === 'tool-call-end');
    expect(end).toMatchObject({ result: { text: 'acme/ann' } });
    expect(events.map(({ type }) => type)).toContain('tool-output-delta');
    await expect(bob.getSession(id)).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
    await expect(clientOf(baseUrl, 'ann@other').getSession(id)).rejects.toMatchObject({ status: 404 });
    expect((await bob.listSessions()).sessions).toEqual([]);
  });

  it('lets nobody in who is not authorized, and has no page and no links', async () => {
    const baseUrl = await listening(kind);
    await expect(clientOf(baseUrl, 'nobody').listSessions()).rejects.toMatchObject({ status: 401 });
    await expect(clientOf(baseUrl, 'ann@acme').createLink()).rejects.toMatchObject({ status: 404 });
    expect((await fetch(`${baseUrl}/page.js`)).status).toBe(404);
    expect((await fetch(`${baseUrl}/openapi.json`)).status).toBe(200);
  });

  it('answers pages of its own origin and of those that are named, and no others', async () => {
    const baseUrl = await listening(kind);
    const statusOf = async (origin: string) =>
      (await fetch(`${baseUrl}/api/status`, { headers: { authorization: 'Bearer ann@acme', origin } })).status;
    expect(await statusOf(new URL(baseUrl).origin)).toBe(200);
    expect(await statusOf('https://shop.example')).toBe(200);
    for (const origin of ['https://evil.example', 'null', 'https://shop.example.evil'])
      expect(await statusOf(origin)).toBe(403);
  });

  it('ends its streams when it is closed, with an end', async () => {
    const baseUrl = await listening(kind);
    const { id } = await clientOf(baseUrl, 'ann@acme').createSession();
    const stream = await fetch(`${baseUrl}/api/sessions/${id}/events`, {
      headers: { authorization: 'Bearer ann@acme' },
    });
    await api.close();
    expect(await stream.text()).toMatch(/event: end\ndata: \{\}\n\n$/);
    await expect(clientOf(baseUrl, 'ann@acme').createSession()).rejects.toMatchObject({ status: 503 });
  });
});

it('a tenant that authorize forgot is a fault that the program is told of, and nobody comes in', async () => {
  const baseUrl = await listening('an app of Hono');
  await expect(clientOf(baseUrl, 'ann@').listSessions()).rejects.toMatchObject({ status: 500, code: 'SERVER_FAILED' });
  expect(warnings.join('\n')).toContain('authorize gave no tenant');
});

it('without the bindings of Node it says what it needs', () => {
  expect(() => api.fetch(new Request('http://x/api/status'), undefined)).toThrow(
    /needs the bindings of @hono\/node-server/,
  );
});
