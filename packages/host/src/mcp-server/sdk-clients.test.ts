import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Host } from '../host.ts';
import { createMcpWorld, type McpWorld, PATIENCE } from './fixtures/mcp-world.ts';
import type { McpHttpServer } from './http/serve-http.ts';
import { serveMcpHttp } from './serve-mcp-http.ts';

const CHILD = fileURLToPath(new URL('./fixtures/serve-child.ts', import.meta.url));
const TOKEN = 'the-token-of-the-tests';

let world: McpWorld;
let host: Host;
let server: McpHttpServer;
const clients: Client[] = [];

beforeAll(async () => {
  world = createMcpWorld();
  process.env.TOOL_LOG = world.logFile;
  const environment = { ...world.environment, TOOLPOST_TOKEN: TOKEN };
  host = await world.open({ environment });
  server = await serveMcpHttp({ host, token: TOKEN, port: 0, channel: 'mcp', environment });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.close();
  await host.close();
  world.remove();
});

type Era = 'legacy' | 'auto';

const TRANSPORTS = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [CHILD, JSON.stringify({ roots: [world.root], pluginDirs: [world.pluginsDir], yes: true })],
      env: world.environment as Record<string, string>,
    }),
  http: () =>
    new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { authorization: `Bearer ${TOKEN}` } },
    }),
} as const;

async function connect(transport: keyof typeof TRANSPORTS, mode: Era): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} }, sampling: {} } },
  );
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ann' } }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    content: { type: 'text', text: 'sampled' },
    model: 'test',
  }));
  clients.push(client);
  await client.connect(TRANSPORTS[transport]());
  return client;
}

const cases = (['stdio', 'http'] as const).flatMap((transport) =>
  (
    [
      ['legacy', '2025-11-25'],
      ['auto', '2026-07-28'],
    ] as const
  ).map(([mode, version]) => ({ transport, mode, version })),
);

describe.each(cases)("the SDK's own client over $transport at $version", ({ transport, mode, version }) => {
  let client: Client;
  beforeAll(async () => {
    client = await connect(transport, mode);
  });

  it('negotiates that version', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'toolpost' });
  });

  it('lists and calls tools, with structured content that fits its schema', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'structured', 'streams']));
    const echoed = await client.callTool({ name: 'echo', arguments: { text: 'Grüße 😀' } });
    expect(echoed.content).toEqual([{ type: 'text', text: 'Grüße 😀' }]);
    expect((await client.callTool({ name: 'structured' })).structuredContent).toEqual({ temp: 21 });
    expect(await client.callTool({ name: 'fails' })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'nothing' })).rejects.toThrow(/nothing/);
  });

  it('is told of progress', async () => {
    const seen: unknown[] = [];
    const until = `go-${transport}-${mode}`;
    const onprogress = ({ message }: { message?: string | undefined }) => void seen.push(message);
    const calling = client.callTool({ name: 'lingers', arguments: { until } }, { onprogress });
    await expect.poll(() => seen, PATIENCE).toEqual(['half way']);
    world.write(until, '');
    expect((await calling).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('is asked: its user, and its model', async () => {
    expect((await client.callTool({ name: 'asks' })).content).toEqual([{ type: 'text', text: 'accept Ann' }]);
    expect(JSON.stringify((await client.callTool({ name: 'samples' })).content)).toContain('sampled');
  });

  it('reads resources and prompts, and completes', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('notes://today');
    const { contents } = await client.readResource({ uri: 'notes://today' });
    expect(contents).toMatchObject([{ text: 'milk' }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('notes://{day}/{+path}');
    expect((await client.getPrompt({ name: 'greet', arguments: { name: 'Bob' } })).messages).toHaveLength(1);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'notes://{day}/{+path}' },
      argument: { name: 'day', value: 'm' },
    });
    expect(completion.values).toEqual(['monday']);
    await expect(client.readResource({ uri: 'notes:nothing' })).rejects.toThrow(/notes:nothing/);
  });

  it('aborts a call in the tool when it gives it up', async () => {
    writeFileSync(world.logFile, '');
    const log = () => readFileSync(world.logFile, 'utf8');
    const controller = new AbortController();
    const refused = expect(client.callTool({ name: 'waits' }, { signal: controller.signal })).rejects.toThrow();
    await expect.poll(log, PATIENCE).toBe('waiting\n');
    controller.abort();
    await refused;
    await expect.poll(log, PATIENCE).toBe('waiting\naborted\n');
    expect((await client.callTool({ name: 'echo', arguments: { text: 'after' } })).content).toHaveLength(1);
  });
});
