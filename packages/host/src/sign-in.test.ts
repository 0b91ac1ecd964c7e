import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OAuthServer, startOAuthServer } from '../test/oauth-server.ts';
import { callIn, createHostWorld, type HostWorld } from './fixtures/host-world.ts';
import { open } from './fixtures/open-host.ts';
import { signInToServer } from './sign-in.ts';

let server: OAuthServer;
let world: HostWorld;

beforeEach(async () => {
  server = await startOAuthServer();
  world = createHostWorld();
  world.write('home/config.json', {
    mcpServers: { guarded: { url: server.url.href }, local: { command: 'node', disabled: true } },
  });
});

afterEach(() => server.close());

const signIn = (pluginId: string, tenant = ''): Promise<void> =>
  signInToServer(
    { environment: { TOOLPOST_HOME: world.homeDir }, roots: [] },
    { pluginId, tenant, abortSignal: AbortSignal.timeout(5000), showAddress: (url) => void fetch(url) },
  );

test('a sign-in lets the hosts of its home use the server, for its tenant alone', async () => {
  const before = await open(world);
  expect((await before.host.listPlugins()).find(({ id }) => id === 'guarded')?.error).toContain(
    'Sign in with `toolpost plugins login guarded`',
  );
  await before.host.close();
  await signIn('guarded');
  const { host, session } = await open(world);
  await host.listTools(session);
  expect(await callIn(host, session, 'mcp__guarded__secret')).toMatchObject({ text: 'the secret' });
  const other = host.openSession({ tenant: 'acme' });
  expect(await callIn(host, other, 'mcp__guarded__secret')).toMatchObject({
    outcome: 'crashed',
    text: expect.stringContaining('toolpost plugins login guarded --tenant acme'),
  });
  await signIn('guarded', 'acme');
});

test('a token that the server says back is masked, also one that was refreshed meanwhile', async () => {
  await signIn('guarded');
  const { host, session } = await open(world);
  await host.listTools(session);
  const repeated = () => callIn(host, session, 'mcp__guarded__secret', { repeatsToken: true });
  expect(await repeated()).toMatchObject({ text: 'got Bearer [redacted]' });
  server.expire();
  expect(await repeated()).toMatchObject({ text: 'got Bearer [redacted]' });
  expect(server.log).toEqual(['code', 'refresh']);
});

test.each([
  ['nobody', 'the plugin nobody was not found'],
  ['local', 'the plugin local is no MCP server with an address, so there is nothing to sign in to'],
])('there is nothing to sign in to at %s', async (id, message) => {
  await expect(signIn(id)).rejects.toThrow(message);
});

test('a sign-in is as the client of the settings, whose secret no error tells', async () => {
  server.close();
  server = await startOAuthServer(3600, { registered: { id: 'me', secret: 's-1234567' } });
  const configure = (clientSecret: string): string =>
    world.write('home/config.json', {
      mcpServers: { guarded: { url: server.url.href, oauth: { clientId: 'me', clientSecret } } },
    });
  configure('wrong-123');
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  await expect(signIn('guarded')).rejects.toThrow('not who it says: Basic [redacted]');
  expect(printed.mock.calls.join()).toContain('Basic [redacted]');
  expect(printed.mock.calls.join()).not.toContain(btoa('me:wrong-123'));
  printed.mockRestore();
  configure('s-1234567');
  await signIn('guarded');
  const { host, session } = await open(world);
  await host.listTools(session);
  expect(await callIn(host, session, 'mcp__guarded__secret')).toMatchObject({ text: 'the secret' });
});

test('a sign-in that the server refuses says so', async () => {
  server.refuseNext();
  await expect(signIn('guarded')).rejects.toThrow(
    'guarded: the sign-in failed: the sign-in was refused: access_denied',
  );
});
