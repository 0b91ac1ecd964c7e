import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, parseManifest } from '@toolpost/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newDir } from '../../../../../test/load-test-plugin.ts';
import { type OAuthServer, startOAuthServer } from '../../../../../test/oauth-server.ts';
import type { LoadedPlugin } from '../../../runtime.ts';
import { createTestCallContext, createTestRuntimeContext } from '../../../test-contexts.ts';
import { createMcpRuntime } from '../../mcp-runtime.ts';
import { type SignInOptions, signIn } from './sign-in.ts';
import { tokenFileOf } from './token-file.ts';

const runtime = createMcpRuntime({ hostVersion: '1.2.3' });
const open: LoadedPlugin[] = [];
let server: OAuthServer;
let homeDir: string;

beforeEach(async () => {
  server = await startOAuthServer();
  homeDir = newDir();
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((plugin) => plugin.close()));
  server.close();
});

async function load(tenant = '', changes: Partial<Manifest> = {}): Promise<LoadedPlugin> {
  const { manifest } = parseManifest({ id: 'guarded', version: '1.0.0', runtime: 'mcp', url: server.url.href });
  const context = createTestRuntimeContext(homeDir, { tenant });
  const plugin = await runtime.load(
    { id: 'guarded', dir: homeDir, origin: 'flag', manifest: { ...manifest, ...changes } },
    context,
  );
  open.push(plugin);
  return plugin;
}

async function call(plugin: LoadedPlugin): Promise<unknown> {
  const tool = { name: 'mcp__guarded__secret', description: '', inputSchema: {} };
  return plugin.execute(tool, {}, createTestCallContext({}));
}

const theSecret = { content: [{ type: 'text', text: 'the secret' }], isError: false };

/** A person who says yes: whose browser follows the redirect back. */
const signInAs = (tenant = '', changes: Partial<SignInOptions> = {}): Promise<void> =>
  signIn({
    homeDir,
    tenant,
    serverUrl: server.url,
    headers: {},
    abortSignal: AbortSignal.timeout(5000),
    showAddress: (url) => void fetch(url),
    redact: (text) => text,
    ...changes,
  });

test('a server that asks who calls says how to sign in', async () => {
  await expect(load()).rejects.toThrow(/guarded could not be started: .*toolpost plugins login guarded/);
  expect(server.log).toEqual([]);
});

test('after a sign-in its tools are there', async () => {
  await signInAs();
  expect(await call(await load())).toEqual(theSecret);
  expect(server.log).toEqual(['code']);
});

test('tokens belong to one tenant and one server, and their file to its owner alone', async () => {
  await signInAs('acme');
  await expect(load('other')).rejects.toThrow('toolpost plugins login');
  expect(await call(await load('acme'))).toEqual(theSecret);
  const [file = ''] = readdirSync(join(homeDir, 'oauth'));
  expect(statSync(join(homeDir, 'oauth', file)).mode & 0o777).toBe(0o600);
});

test('of many calls whose token has ended one refreshes it, also across connections', async () => {
  await signInAs();
  const plugins = await Promise.all([load(), load()]);
  server.expire();
  const results = await Promise.all(plugins.flatMap((plugin) => Array.from({ length: 10 }, () => call(plugin))));
  expect(results).toEqual(results.map(() => theSecret));
  expect(server.log).toEqual(['code', 'refresh']);
});

test('a token that ends soon is refreshed before it is used', async () => {
  server.close();
  server = await startOAuthServer(10);
  await signInAs();
  expect(await call(await load())).toEqual(theSecret);
  expect(server.log).toContain('refresh');
});

test('a sign-in that is over says how to sign in again', async () => {
  await signInAs();
  const plugin = await load();
  server.expire(true);
  await expect(call(plugin)).rejects.toThrow(/toolpost plugins login guarded/);
});

test('a call that needs more than was agreed to says so, and the next sign-in asks for it', async () => {
  await signInAs();
  const plugin = await load();
  server.requireScope('mail:write');
  await expect(call(plugin)).rejects.toThrow(/mail:write.*toolpost plugins login guarded/);
  await signInAs();
  expect(await call(plugin)).toEqual(theSecret);
});

test('a sign-in that is refused says so, and leaves what was kept', async () => {
  await signInAs();
  const before = tokenFileOf({ homeDir, tenant: '', serverUrl: server.url }).read();
  server.refuseNext();
  await expect(signInAs()).rejects.toThrow('the sign-in was refused: access_denied');
  expect(tokenFileOf({ homeDir, tenant: '', serverUrl: server.url }).read()).toEqual(before);
  expect(await call(await load())).toEqual(theSecret);
});

test('an answer with another state is not taken for ours', async () => {
  const given = AbortSignal.timeout(700);
  const forged = signInAs('', {
    abortSignal: given,
    showAddress(url) {
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = 'code=stolen&state=guessed';
      void fetch(back).then(({ status }) => expect(status).toBe(400));
    },
  });
  await expect(forged).rejects.toThrow('the sign-in was given up');
  expect(server.log).toEqual([]);
});
