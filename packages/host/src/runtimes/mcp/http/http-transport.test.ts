import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  inputRequired,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type JsonObject, type Manifest, parseManifest } from '@toolpost/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newDir } from '../../../../test/load-test-plugin.ts';
import {
  type LoadedPlugin,
  type McpServer as McpServerOfPlugin,
  PluginCrash,
  type RuntimeContext,
} from '../../runtime.ts';
import {
  createTestCallContext,
  createTestRuntimeContext,
  type TestCallContext,
  type TestRuntimeContext,
} from '../../test-contexts.ts';
import { createMcpRuntime } from '../mcp-runtime.ts';

const runtime = createMcpRuntime({ hostVersion: '1.2.3' });
const endings: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Loaded {
  readonly plugin: LoadedPlugin;
  readonly context: TestRuntimeContext;
}

async function load(
  url: string,
  server: Partial<McpServerOfPlugin> = {},
  changes: Partial<Manifest> = {},
  given: Partial<RuntimeContext> = {},
): Promise<Loaded> {
  const { manifest } = parseManifest({ id: 'web', version: '1.0.0', runtime: 'mcp', url });
  const context = createTestRuntimeContext(newDir(), given);
  const discovered = { id: 'web', dir: newDir(), origin: 'flag', manifest: { ...manifest, ...changes } } as const;
  const plugin = await runtime.load({ ...discovered, server: { url, env: {}, headers: {}, ...server } }, context);
  endings.push(() => plugin.close());
  return { plugin, context };
}

async function call({ plugin }: Loaded, name: string, input: JsonObject = {}, context = createTestCallContext(input)) {
  const tool = plugin.tools.find((one) => one.name === `mcp__web__${name}`);
  if (!tool) throw new Error(`no tool ${name}`);
  return plugin.execute(tool, input, context);
}

const textResult = (text: string) => ({ content: [{ type: 'text', text }], isError: false });

/** What a server of the SDK can do that matters here. `told` hears of a call that waits, and that it was given up. */
function addTools(server: McpServer, told: string[]): McpServer {
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  server.registerTool('steps', {}, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, message: 'half' },
      });
    return { content: [{ type: 'text', text: 'done' }] };
  });
  server.registerTool('never', {}, async (ctx) => {
    told.push('waits');
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve));
    told.push('given up');
    return { content: [] };
  });
  return server;
}

/** The current way: every request stands for itself. */
async function serveRequestEra(told: string[] = []) {
  const handler = createMcpHandler(() => {
    const server = addTools(new McpServer({ name: 'web', version: '1' }), told);
    server.registerTool('ask', {}, (ctx) => {
      const answer = ctx.mcpReq.inputResponses?.who;
      if (answer) return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
      return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Who?', requestedSchema }) } });
    });
    return server;
  });
  endings.push(() => handler.close());
  return { handler, url: await listen(getRequestListener((request) => handler.fetch(request))) };
}

/** The earlier way: sessions that the server keeps. */
async function serveSessions(told: string[] = []) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const serve = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known) return known.handleRequest(request);
    if (request.headers.has('mcp-session-id')) return new Response('no such session', { status: 404 });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await addTools(new McpServer({ name: 'web', version: '1' }), told).connect(transport);
    return transport.handleRequest(request);
  };
  return { sessions, url: await listen(getRequestListener(serve)) };
}

describe.each([
  ['request', serveRequestEra],
  ['session', serveSessions],
] as const)('a server over HTTP, of the %s era', (_era, serve) => {
  test('gives its tools and their results', async () => {
    const loaded = await load((await serve()).url);
    expect(await call(loaded, 'echo', { text: 'hi 😀' })).toEqual(textResult('hi 😀'));
    const texts = Array.from({ length: 20 }, (_, index) => String(index));
    expect(await Promise.all(texts.map((text) => call(loaded, 'echo', { text })))).toEqual(texts.map(textResult));
  });

  test('reports progress', async () => {
    const loaded = await load((await serve()).url);
    const context = createTestCallContext({});
    expect(await call(loaded, 'steps', {}, context)).toEqual(textResult('done'));
    expect(context.progressUpdates).toEqual([{ progress: 1, message: 'half' }]);
  });

  test('hears that a call is given up', async () => {
    const told: string[] = [];
    const loaded = await load((await serve(told)).url);
    const context: TestCallContext = createTestCallContext({});
    const given = call(loaded, 'never', {}, context).catch((error: Error) => error.message);
    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['waits']);
    context.abort('cancelled');
    expect(await given).toBe('the call was cancelled');
    await expect.poll(() => told, { timeout: 20_000 }).toEqual(['waits', 'given up']);
    expect(await call(loaded, 'echo', { text: 'next' })).toEqual(textResult('next'));
  });
});

test("a server of the current era asks the session's user, with the server named", async () => {
  const loaded = await load((await serveRequestEra()).url);
  const context = createTestCallContext({}, { answer: { action: 'accept', content: { name: 'Ann' } } });
  expect(await call(loaded, 'ask', {}, context)).toEqual(textResult('{"action":"accept","content":{"name":"Ann"}}'));
  expect(context.questions).toMatchObject([{ message: 'The MCP server web asks: Who?', name: 'who' }]);
});

test('a server of the current era tells of changes through a subscription', async () => {
  const tools = ['echo'];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    for (const name of tools) server.registerTool(name, {}, () => ({ content: [] }));
    return server;
  });
  endings.push(() => handler.close());
  const loaded = await load(await listen(getRequestListener((request) => handler.fetch(request))));
  await expect
    .poll(
      () => {
        if (tools.length === 1) tools.push('added');
        handler.notify.toolsChanged();
        return loaded.plugin.tools.map(({ name }) => name);
      },
      { timeout: 5000 },
    )
    .toEqual(['mcp__web__echo', 'mcp__web__added']);
});

test('a session that the server has forgotten ends the call as crashed, and the next one begins another', async () => {
  const { sessions, url } = await serveSessions();
  const loaded = await load(url);
  sessions.clear();
  await expect(call(loaded, 'echo', { text: 'a' })).rejects.toThrow(PluginCrash);
  expect(loaded.context.changes).toMatchObject([{ state: 'stopped' }]);
  await loaded.plugin.ready();
  expect(await call(loaded, 'echo', { text: 'b' })).toEqual(textResult('b'));
});

test('the headers of the configuration are sent', async () => {
  const seen: unknown[] = [];
  const { handler } = await serveRequestEra();
  const inner = getRequestListener((request) => handler.fetch(request));
  const url = await listen((request, response) => {
    seen.push(request.headers['x-api-key']);
    return inner(request, response);
  });
  await load(url, { headers: { 'X-Api-Key': 'k' } });
  expect(new Set(seen)).toEqual(new Set(['k']));
});

describe('a server that cannot be used says why', () => {
  const failure = async (listener: RequestListener, changes: Partial<Manifest> = {}): Promise<string> =>
    load(await listen(listener), {}, changes).then(
      () => 'it could',
      (error: Error) => error.message,
    );

  test.each([
    ['a page that is no MCP server', 404, '<html>Not here</html>', /HTTP status 404: <html>Not here/],
    ['a broken one', 500, 'out of order', /HTTP status 500: out of order/],
    ['one that wants another key', 403, 'no', /HTTP status 403: no\. Sign in with `toolpost plugins login web`/],
  ])('%s', async (_which, status, body, message) => {
    expect(await failure((_request, response) => void response.writeHead(status).end(body))).toMatch(message);
  });

  test('says that it cannot be reached where nobody is at the address', async () => {
    const url = await listen(() => undefined);
    await endings.splice(0).at(-1)?.();
    await expect(load(url)).rejects.toThrow(
      /web could not be started: The plugin web: it cannot be reached: fetch failed/,
    );
  });

  test('says that a silent server did not list its tools in time, also where a stream is opened first', async () => {
    const silent = () => undefined;
    const late = 'did not list its tools within 200ms';
    expect(await failure(silent, { startTimeoutMs: 200 })).toContain(late);
    const opening = load(await listen(silent), { type: 'sse' }, { startTimeoutMs: 200 });
    await expect(opening).rejects.toThrow(late);
  });

  test('gives up a silent server when the host closes', async () => {
    const closing = new AbortController();
    const asked = Promise.withResolvers<void>();
    const url = await listen(() => asked.resolve());
    const starting = load(url, { type: 'sse' }, {}, { closing: closing.signal });
    await asked.promise;
    closing.abort();
    await expect(starting).rejects.toThrow('web could not be started: the host is closing');
  });

  test('one whose answer never ends', async () => {
    const flood: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    };
    expect(await failure(flood, { maxLineBytes: 1_000_000 })).toContain('more than 1000000 bytes');
  });
});
