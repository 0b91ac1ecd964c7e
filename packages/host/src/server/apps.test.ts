import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApiClient, CallRecord, JsonObject } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatCall, chatChunks, startScriptedProvider } from '../models/fixtures/scripted-provider.ts';
import { ANN_TOKEN, createServerWorld, type ServerWorld } from './fixtures/server-world.ts';

const SERVER = fileURLToPath(new URL('./fixtures/app-server.ts', import.meta.url));
const PAGE = '<!doctype html><title>The first page</title>';

let world: ServerWorld;
let api: ApiClient;
let id: string;
let record: CallRecord;
let pageFile: string;
let dir: string;
let provider: Awaited<ReturnType<typeof startScriptedProvider>>;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-apps-'));
  pageFile = join(dir, 'page.html');
  writeFileSync(pageFile, PAGE);
  const calls = (name: string, input: object) => ({
    events: chatChunks(chatCall(0, name, JSON.stringify(input)), 'tool_calls'),
  });
  const says = { events: chatChunks([{ content: 'There.' }]) };
  provider = await startScriptedProvider([calls('mcp__clock__time', { zone: 'Oslo' }), says, calls('novel', {}), says]);
  world = await createServerWorld({
    config: {
      model: `openai-compatible:scripted@${provider.url}`,
      permissions: { allow: ['mcp__clock__time', 'novel'] },
      mcpServers: { clock: { command: process.execPath, args: [SERVER], env: { APP_PAGE: pageFile } } },
    },
  });
  api = world.client();
  ({ id } = await api.createSession());
  await api.postMessage(id, { text: 'What time is it?' });
  record = await until(async () => (await api.calls(id)).calls[0]?.record);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true });
});

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise(setImmediate);
  }
}

const ask = (method: 'tools/call' | 'resources/read', params: JsonObject) =>
  api.appRequest(id, record.id, { method, params });

describe('a call of a server with a page', () => {
  it('keeps the page as it was, and shows it again when the server has another one', async () => {
    expect(record.metadata).toMatchObject({
      detail: 'for the page',
      app: { uri: 'ui://clock/page.html', domains: ['https://api.example', 'https://cdn.example'] },
    });
    writeFileSync(pageFile, '<!doctype html><title>Another page</title>');
    expect(await api.appPage(id, record.id)).toEqual({
      html: PAGE,
      domains: ['https://api.example', 'https://cdn.example'],
      tool: { name: 'time', description: 'Tells the time.', inputSchema: expect.objectContaining({ type: 'object' }) },
      arguments: { zone: 'Oslo' },
    });
  });

  it('is shown to the owner of the session alone', async () => {
    const ann = world.client(ANN_TOKEN);
    await expect(ann.appPage(id, record.id)).rejects.toMatchObject({ status: 404 });
    await expect(
      ann.appRequest(id, record.id, { method: 'resources/read', params: { uri: 'clock://note' } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  it('reads resources of its server', async () => {
    expect(await ask('resources/read', { uri: 'clock://note' })).toEqual({
      contents: [{ uri: 'clock://note', mimeType: 'text/plain', text: 'slow by a minute' }],
    });
  });

  it('calls tools of its server under all rules, and none of anybody else', async () => {
    // What is allowed runs.
    expect(await ask('tools/call', { name: 'time', arguments: {} })).toMatchObject({
      content: [{ text: 'noon in UTC' }],
      structuredContent: { zone: 'UTC' },
    });
    const last = (await api.calls(id)).calls.at(-1)?.record;
    expect(last).toMatchObject({ name: 'mcp__clock__time', metadata: { detail: 'for the page' } });
    expect(last?.metadata).not.toHaveProperty('app');
    for (const name of ['deploy', 'read', 'mcp__clock__time', 'wind', 5])
      await expect(ask('tools/call', { name, arguments: {} })).rejects.toMatchObject({ status: 404 });
  });

  it('asks the user each time for what is not allowed, whatever was answered before', async () => {
    for (const answer of ['session', 'no'] as const) {
      const asked = ask('tools/call', { name: 'set', arguments: { to: 'one' } });
      const [approval] = await until(async () => {
        const open = await api.approvals(id);
        return open.length > 0 ? open : undefined;
      });
      expect(approval).toMatchObject({ name: 'mcp__clock__set', plugin: 'clock', arguments: '{"to":"one"}' });
      await api.answerApproval(id, approval?.approvalId ?? '', { answer });
      const result = await asked;
      if (answer === 'no') expect(result).toMatchObject({ isError: true });
      else expect(result).toEqual({ content: [{ type: 'text', text: 'set to one' }] });
    }
    const names = (await api.calls(id)).calls.map((one) => one.record.name);
    expect(names).toEqual(expect.arrayContaining(['mcp__clock__time', 'mcp__clock__set']));
  });

  it('makes a card of what its page says, which the user may send', async () => {
    const body = { toolCallId: record.id, action: 'message', data: { text: 'set it, please' } };
    expect(await api.uiAction(id, body)).toMatchObject({ handled: 'card', actionId: expect.any(String) });
  });
});

it('what is for pages alone is offered to no model', async () => {
  const names = (await api.tools(id)).map(({ name }) => name);
  expect(names).toContain('mcp__clock__wind');
  expect(names).not.toContain('mcp__clock__set');
});

it('a call without a page asks for nothing', async () => {
  await api.postMessage(id, { text: 'Tell a novel.' });
  const other = await until(async () => {
    const { calls } = await api.calls(id);
    return calls.find((one) => one.record.name === 'novel')?.record;
  });
  await expect(api.appPage(id, other.id)).rejects.toMatchObject({ status: 404 });
  await expect(api.appRequest(id, other.id, { method: 'tools/call', params: { name: 'time' } })).rejects.toMatchObject({
    status: 404,
  });
});
