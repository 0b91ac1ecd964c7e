import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type ApiClient, createApiClient, type ToolpostEvent } from '@toolpost/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandWorld, createCommandWorld, LAUNCHER } from './fixtures/run-toolpost.ts';

const TOKEN = 'the-token-of-the-operator';
const NATIVE = `
  import { defineTool, definePlugin } from '@toolpost/sdk';
  const inputSchema = { type: 'object', properties: {} };
  export default definePlugin({ tools: [
    defineTool({ name: 'pause', description: 'Pauses for a moment.', inputSchema, async execute(_, { output }) {
      output('pausing'); await new Promise((done) => setTimeout(done, 800)); return 'paused';
    } }),
    defineTool({ name: 'hang', description: 'Hangs for ever.', inputSchema, execute(_, { output }) { output('hanging'); return new Promise(() => {}); } }),
  ] });`;

let world: CommandWorld;
const children: ChildProcess[] = [];
beforeEach(() => {
  world = createCommandWorld();
  world.write('home/config.json', { model: 'demo', permissions: { allow: ['pause', 'hang'] } });
  world.write('plugins/tester/index.mjs', NATIVE);
  const manifest = {
    id: 'tester',
    name: 'tester',
    version: '1.0.0',
    description: 'd',
    runtime: 'native',
    entry: 'index.mjs',
  };
  world.write('plugins/tester/plugin.json', { ...manifest, permissions: ['tools.register'] });
});
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly client: ApiClient;
  readonly exited: Promise<number | null>;
  stderr(): string;
}

/** Starts the server and waits until it says where it listens. */
async function start(
  argv: readonly string[] = [],
  environment: Record<string, string> = { TOOLPOST_TOKEN: TOKEN },
): Promise<Running> {
  const flags = ['--plugins', join(world.dir, 'plugins'), '--no-bundled', '--port', '0', ...argv];
  const { TOOLPOST_TOKEN: _own, ...inherited } = process.env;
  const child = spawn(process.execPath, [LAUNCHER, 'serve', ...flags], {
    cwd: world.root,
    env: { ...inherited, TOOLPOST_HOME: join(world.dir, 'home'), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
      const [, address] = /listening on (http:\S+)\n/.exec(stderr) ?? [];
      if (address !== undefined) resolve(address);
    });
    void exited.then(() => reject(new Error(`it ended: ${stderr}`)));
  });
  return {
    child,
    url,
    client: createApiClient({ baseUrl: url, token: TOKEN, environment: globalThis }),
    exited,
    stderr: () => stderr,
  };
}

/** Asks for a turn and waits until its tool runs; `events` fills with what comes until the server ends. */
async function beginTurn({ client }: Running, text: string) {
  const { id } = await client.createSession();
  const events: ToolpostEvent[] = [];
  const end = new AbortController();
  const running = Promise.withResolvers<void>();
  const following = client.follow({
    sessionId: id,
    signal: end.signal,
    onEvent(event) {
      events.push(event);
      if (event.type === 'tool-output-delta') running.resolve();
    },
    onConnection({ isConnected }) {
      if (!isConnected) end.abort();
    },
  });
  await client.postMessage(id, { text });
  await running.promise;
  return { id, events, following };
}

describe('serve', () => {
  test('tells where it listens, a link that works once, and where the token is', async () => {
    const { url, child, exited, stderr } = await start([], {});
    await expect.poll(stderr).toMatch(/the token of the API is in .*tokens/);
    const [, link = ''] = /open (\S+) \(works once\)/.exec(stderr()) ?? [];
    const login = () =>
      fetch(`${url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
      });
    expect(new URL(link).origin).toBe(url);
    const { token } = (await (await login()).json()) as { token: string };
    expect((await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await login()).status).toBe(401);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(existsSync(join(world.dir, 'home/tokens', new URL(url).port))).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'lets a turn that runs finish at %s, and loses nothing of it',
    async (signal) => {
      const server = await start();
      const { events, following, id } = await beginTurn(server, 'pause');
      server.child.kill(signal);
      expect(await server.exited).toBe(0);
      await following;
      expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'completed' });
      const again = await start();
      const { lastSeq } = await again.client.getSession(id);
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    },
  );

  test('cancels a turn that does not finish in time', async () => {
    const server = await start(['--grace', '100ms']);
    const { events, following } = await beginTurn(server, 'hang');
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    await following;
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', reason: 'cancelled' });
  });

  test('leaves at once at a second signal; the next start closes the turn', async () => {
    const server = await start(['--grace', '60s']);
    const { id, following } = await beginTurn(server, 'hang');
    server.child.kill('SIGTERM');
    await expect.poll(server.stderr).toContain('finishing 1 turn');
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(143);
    await following;
    const again = await start();
    expect(await again.client.getSession(id)).toMatchObject({ isRunning: false });
    const { calls } = await again.client.calls(id);
    expect(calls).toHaveLength(1);
  });

  test('offers the same tools over MCP at /mcp, to who has the token', async () => {
    const { url, child, exited } = await start();
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        }),
      });
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${TOKEN}` });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('serverInfo')]);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('on a port in use, a bad port, or with flags that mean nothing is wrong usage', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const taken = await world.run(['serve', '--no-bundled', '--port', String(port)]);
    expect([taken.status, taken.stderr]).toEqual([
      2,
      expect.stringMatching(/cannot listen on 127\.0\.0\.1:\d+: the port is in use/),
    ]);
    await new Promise((resolve) => blocker.close(resolve));
    for (const bad of ['x', '-1', '70000', '']) {
      const { status, stderr } = await world.run(['serve', '--port', bad]);
      expect([status, stderr]).toEqual([2, expect.stringContaining('is not a port')]);
    }
    const tenant = await world.run(['serve', '--tenant', 'acme']);
    expect([tenant.status, tenant.stderr]).toEqual([2, expect.stringContaining('come from tokens')]);
  });
});
