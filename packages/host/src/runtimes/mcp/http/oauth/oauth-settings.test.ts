import { readFileSync } from 'node:fs';
import { parseManifest } from '@toolpost/protocol';
import { afterEach, expect, test } from 'vitest';
import { newDir } from '../../../../../test/load-test-plugin.ts';
import { type KnownClients, type OAuthServer, startOAuthServer } from '../../../../../test/oauth-server.ts';
import type { OAuthSettings } from '../../../runtime.ts';
import { createTestCallContext, createTestRuntimeContext } from '../../../test-contexts.ts';
import { createMcpRuntime } from '../../mcp-runtime.ts';
import { signIn } from './sign-in.ts';
import { tokenFileOf } from './token-file.ts';

const PAGE = 'https://example.com/toolpost.json';
const registered = { id: 'by-hand', secret: 's-1234567' };
const byHand: OAuthSettings = { clientId: registered.id, clientSecret: registered.secret };
const runtime = createMcpRuntime({ hostVersion: '1.2.3' });
const ending: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function start(clients: KnownClients): Promise<{ server: OAuthServer; homeDir: string }> {
  const server = await startOAuthServer(3600, clients);
  ending.push(() => server.close());
  return { server, homeDir: newDir() };
}

type World = Awaited<ReturnType<typeof start>>;

const signInAs = ({ server, homeDir }: World, oauth: OAuthSettings): Promise<void> =>
  signIn({
    homeDir,
    tenant: '',
    serverUrl: server.url,
    headers: {},
    oauth,
    abortSignal: AbortSignal.timeout(5000),
    showAddress: (url) => void fetch(url),
    redact: (text) => text,
  });

/** Loads the server as a plugin and returns what calls its tool. */
async function load({ server, homeDir }: World, oauth: OAuthSettings): Promise<() => Promise<unknown>> {
  const { manifest } = parseManifest({ id: 'guarded', version: '1.0.0', runtime: 'mcp', url: server.url.href });
  const plugin = await runtime.load(
    {
      id: 'guarded',
      dir: homeDir,
      origin: 'config',
      manifest,
      server: { env: {}, headers: {}, url: server.url.href, oauth },
    },
    createTestRuntimeContext(homeDir, { tenant: '' }),
  );
  ending.push(() => plugin.close());
  const tool = { name: 'mcp__guarded__secret', description: '', inputSchema: {} };
  return async () => plugin.execute(tool, {}, createTestCallContext({}));
}

const theSecret = { content: [{ type: 'text', text: 'the secret' }], isError: false };
const fileOf = ({ server, homeDir }: World) => tokenFileOf({ homeDir, tenant: '', serverUrl: server.url });

test('a client that was registered by hand signs in and refreshes with its secret, which no file keeps', async () => {
  const world = await start({ registered });
  await signInAs(world, byHand);
  const call = await load(world, byHand);
  world.server.expire();
  expect(await call()).toEqual(theSecret);
  expect(world.server.log).toEqual(['code', 'refresh']);
  expect(readFileSync(fileOf(world).path, 'utf8')).not.toContain(registered.secret);
});

test('a wrong secret is said to be wrong, and no other client is registered in its place', async () => {
  const world = await start({ registered });
  await expect(signInAs(world, { ...byHand, clientSecret: 'wrong' })).rejects.toThrow('not who it says');
  expect(world.server.log).toEqual([]);
});

test('a client goes to no other authorization server than the one that knows it', async () => {
  const world = await start({ registered });
  await expect(signInAs(world, { ...byHand, issuer: 'https://id.example.com' })).rejects.toThrow(
    /id\.example\.com.*127\.0\.0\.1|127\.0\.0\.1.*id\.example\.com/,
  );
  expect(world.server.asked).toEqual([]);
  const issuer = world.server.url.origin;
  await signInAs(world, { ...byHand, issuer });
  const call = await load(world, { ...byHand, issuer: `${issuer}/` });
  const callElsewhere = await load(world, { ...byHand, issuer: 'https://id.example.com' });
  world.server.expire();
  expect(await call()).toEqual(theSecret);
  world.server.expire();
  await expect(callElsewhere()).rejects.toThrow(/not at https:\/\/id\.example\.com.*toolpost plugins login guarded/);
});

test('a client is known by the address of its page where the authorization server takes that', async () => {
  const world = await start({ takesPages: true });
  await signInAs(world, { clientMetadataUrl: PAGE });
  expect(world.server.asked.map((query) => query.get('client_id'))).toEqual([PAGE]);
  const call = await load(world, { clientMetadataUrl: PAGE });
  world.server.expire();
  expect(await call()).toEqual(theSecret);
});

test('elsewhere a client with a page registers itself, and one that was registered by hand needs no page', async () => {
  const world = await start({});
  await signInAs(world, { clientMetadataUrl: PAGE });
  expect(world.server.asked[0]?.get('client_id')).not.toBe(PAGE);
  const other = await start({ registered, takesPages: true });
  await signInAs(other, { ...byHand, clientMetadataUrl: PAGE });
  expect(other.server.asked[0]?.get('client_id')).toBe(registered.id);
});

test('a sign-in asks for the scope of the settings, and for what a call was refused for', async () => {
  const world = await start({});
  await signInAs(world, { scope: 'mail:read files' });
  fileOf(world).change({ scope: 'mail:write' });
  await signInAs(world, { scope: 'mail:read files' });
  expect(world.server.asked.map((query) => query.get('scope'))).toEqual([
    'mail:read files',
    'mail:read files mail:write',
  ]);
});

test('a client that registered itself is forgotten where the settings have one', async () => {
  const world = await start({ takesPages: true });
  await signInAs(world, {});
  expect(fileOf(world).read().client).toBeDefined();
  await signInAs(world, { clientId: PAGE });
  expect(fileOf(world).read().client).toBeUndefined();
});
