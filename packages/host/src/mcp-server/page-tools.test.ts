import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@toolpost/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMcpWorld, type McpWorld, RawClient, type ServerMessage } from './fixtures/mcp-world.ts';

const SERVER = fileURLToPath(new URL('../server/fixtures/app-server.ts', import.meta.url));
const FORM = { elicitation: { form: {} } };
const APPS = { ...FORM, extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const OWN_PAGE = `
import { definePlugin, defineTool } from '@toolpost/sdk';
const tool = (name, more) => defineTool({ name, description: 'A board.', inputSchema: { type: 'object', properties: {} }, execute: () => name, ...more });
export default definePlugin({
  tools: [tool('board', { ui: { mode: 'app', resourceUri: 'ui://board/page.html' } }), tool('board_move'), tool('wound')],
  resources: [{ uri: 'ui://board/page.html', name: 'page', mimeType: 'text/html;profile=mcp-app', read: () => '<p>a board' }],
});`;

let world: McpWorld;
let client: RawClient;
let clock: JsonObject;
let single: string;
let other: RawClient;

beforeAll(async () => {
  world = createMcpWorld();
  world.addNative('board', OWN_PAGE);
  const env = { APP_PAGE: world.write('page.html', '<p>a clock') };
  clock = { command: process.execPath, args: [SERVER], env };
  world.write('home/config.json', { mcpServers: { clock, twin: clock } });
  single = JSON.stringify({ mcpServers: { clock } });
  [client, other] = [
    new RawClient(world, { yes: false, configFile: world.write('one.json', single) }),
    new RawClient(world),
  ];
  await Promise.all([client.initialize(APPS), other.initialize(APPS)]);
});
afterAll(async () => {
  await Promise.all([client.end(), other.end()]);
  world.remove();
});

const toolsOf = async (from: RawClient) => {
  const { result } = await from.request('tools/list');
  return new Map(
    ((result?.tools ?? []) as { name: string; _meta: JsonObject }[]).map(({ name, _meta }) => [name, _meta]),
  );
};

const answered = new Set<unknown>();

/** Calls a tool, and answers the question that is asked meanwhile, which is given too. */
async function callAnswering(name: string, given: JsonObject, answer: string) {
  const called = client.request('tools/call', { name, arguments: given });
  const isAsked = ({ method, id }: ServerMessage) => method === 'elicitation/create' && !answered.has(id);
  const question = await Promise.race([called, client.until(isAsked)]);
  if (question.method === undefined) return { result: question.result, asked: undefined };
  answered.add(question.id);
  client.send({ id: String(question.id), result: { action: 'accept', content: { answer } } });
  const { result } = await called;
  return { result, asked: String(question.params?.message) };
}

it('lists what the page of a server may call under the name that the page knows, for pages alone', async () => {
  const tools = await toolsOf(client);
  const uiOf = (name: string) => tools.get(name)?.ui;
  expect(tools.get('set')).toEqual({ 'toolpost/plugin': 'clock', ui: { visibility: ['app'] } });
  expect(uiOf('time')).toEqual({ visibility: ['app'] });
  expect(uiOf('mcp__clock__time')).toEqual({ resourceUri: 'ui://clock/page.html', visibility: ['model'] });
  expect(uiOf('mcp__clock__wind')).toEqual({ visibility: ['model'] });
  expect(tools.has('wind')).toBe(false);
  expect(tools.has('mcp__clock__set')).toBe(false);
});

it('gives no page more than itself: what it would load is not asked for', async () => {
  const uri = 'ui://clock/page.html';
  const { result } = await client.request('resources/read', { uri });
  expect(result?.contents).toEqual([{ uri, mimeType: 'text/html;profile=mcp-app', text: '<p>a clock' }]);
});

it('keeps tools of plugins without a page of their own from all pages', async () => {
  const tools = await toolsOf(client);
  expect(tools.get('bash')?.ui).toEqual({ visibility: ['model'] });
  expect(tools.get('draw')?.ui).toEqual({ resourceUri: 'ui://toolpost/tools/draw', visibility: ['model'] });
  expect(tools.get('board')?.ui).toEqual({ resourceUri: 'ui://board/page.html' });
  expect(tools.get('board_move')?.ui).toBeUndefined();
});

it('has nothing of a server for pages before a page of it is there', async () => {
  const fresh = new RawClient(world, { configFile: world.write('one.json', single) });
  await fresh.initialize(APPS);
  const set = () => fresh.request('tools/call', { name: 'set', arguments: { to: 'one' } });
  expect((await set()).error?.message).toContain('set');
  await fresh.request('tools/call', { name: 'mcp__clock__time', arguments: {} });
  expect((await set()).result?.content).toEqual([{ type: 'text', text: 'set to one' }]);
  await fresh.end();
});

it('asks about what may come of the page of another plugin, also where a rule allows it', async () => {
  const permissions = { allow: ['board:board', 'board:board_move', 'mcp__clock__*'] };
  const config = world.write('two.json', JSON.stringify({ mcpServers: { clock }, permissions }));
  const ruled = new RawClient(world, { yes: false, configFile: config });
  await ruled.initialize(APPS);
  const outcomeOf = async (name: string, given: JsonObject = {}) => {
    const called = ruled.request('tools/call', { name, arguments: given });
    const isAsked = ({ method }: ServerMessage) => method === 'elicitation/create';
    const first = await Promise.race([called, ruled.until(isAsked)]);
    if (first.method === undefined) return first.result?.content;
    ruled.send({ id: String(first.id), result: { action: 'decline' } });
    await called;
    return String(first.params?.message);
  };
  expect(await outcomeOf('board')).toEqual([{ type: 'text', text: 'board' }]);
  expect(await outcomeOf('board_move')).toEqual([{ type: 'text', text: 'board_move' }]);
  // What no page may call is the model's.
  expect(await outcomeOf('mcp__clock__time')).toEqual([{ type: 'text', text: 'noon in UTC' }]);
  expect(await outcomeOf('board_move')).toContain('pages of clock are open beside those of board');
  await ruled.end();

  const other = new RawClient(world, { yes: false, configFile: config });
  await other.initialize(APPS);
  await other.request('resources/read', { uri: 'ui://clock/page.html' });
  const set = await other.request('tools/call', { name: 'set', arguments: { to: 'two' } });
  expect(set.result?.content).toEqual([{ type: 'text', text: 'set to two' }]);
  await other.request('resources/read', { uri: 'ui://board/page.html' });
  const asking = other.request('tools/call', { name: 'set', arguments: { to: 'two' } });
  const question = await other.until(({ method }) => method === 'elicitation/create');
  expect(String(question.params?.message)).toContain('pages of board are open beside those of clock');
  other.send({ id: String(question.id), result: { action: 'decline' } });
  await asking;
  await other.end();
}, 60_000);

it('asks for each call of a page, whatever was allowed before', async () => {
  for (const _ of [1, 2]) {
    const { result, asked } = await callAnswering('set', { to: 'one' }, 'session');
    expect(asked).toContain('Allow mcp__clock__set of plugin clock?');
    expect(result?.content).toEqual([{ type: 'text', text: 'set to one' }]);
  }
  const { result } = await callAnswering('set', { to: 'two' }, 'no');
  expect(result).toMatchObject({ isError: true, _meta: { 'toolpost/outcome': 'denied' } });
});

it('gives a page what its server says beside the result, where it looks for it', async () => {
  const { result } = await callAnswering('mcp__clock__time', { zone: 'Oslo' }, 'once');
  expect(result?._meta).toMatchObject({ detail: 'for the page' });
  expect(result?._meta).not.toHaveProperty('app');
});

it('knows no plain name that two servers have, that is kept for models, or where no pages are shown', async () => {
  const tools = await toolsOf(other);
  expect([tools.has('set'), tools.has('time')]).toEqual([false, false]);
  const called = async (from: RawClient, name: string) =>
    (await from.request('tools/call', { name, arguments: {} })).error;
  expect((await called(other, 'set'))?.message).toContain('set');
  expect((await called(client, 'wind'))?.message).toContain('wind');
  const plain = new RawClient(world, { configFile: world.write('one.json', JSON.stringify({ mcpServers: {} })) });
  await plain.initialize(FORM);
  expect(await called(plain, 'set')).toBeDefined();
  await plain.end();
});
