import type { ToolpostEvent } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { chatInput } from '../agent/fixtures/streamed-input.ts';
import { addPuppet } from '../channels/fixtures/puppet.ts';
import { startScriptedProvider } from '../models/fixtures/scripted-provider.ts';
import { createSessionStore } from '../sessions/create-session-store.ts';
import { readLog } from '../sessions/read-log.ts';
import { createServerWorld, followUntil } from './fixtures/server-world.ts';

const CODE = 'export function App() {\n  return <b title="é\u{1F600}">"quoted"</b>;\n}\n'.repeat(200);
const ARGUMENTS = JSON.stringify({ title: '{"code":"no"}', code: CODE });
const PIECES = ARGUMENTS.match(/[\s\S]{1,37}/g) ?? [];
/** A tool of a channel for the sessions of the page, as seed A has it. */
const DRAWS = {
  ...{ name: 'draws', description: 'Draws.', channels: ['web'] },
  inputSchema: { type: 'object', properties: { title: { type: 'string' }, code: { type: 'string' } } },
  ui: { mode: 'genui', param: 'code', libs: ['echarts'], surface: 'panel' },
};

const isEnd = ({ type }: ToolpostEvent) => type === 'turn-end' || type === 'turn-error';

test("a channel's tool is previewed in the page's session, and every client and the log have the same events", async () => {
  await using provider = await startScriptedProvider(chatInput('draws', PIECES));
  await using world = await createServerWorld({
    config: {
      ...{ model: `openai-compatible:m@${provider.url}`, channels: { p: { enabled: true } } },
      permissions: { allow: ['draws'] },
    },
    prepare: (host) => addPuppet(host, 'p', { tools: [DRAWS] }),
  });
  const client = world.client();
  const { id, position } = await client.createSession();
  await client.postMessage(id, { text: 'draw' });
  const events = await followUntil(client, id, isEnd, position);

  const deltas = events.filter((event) => event.type === 'ui-delta');
  expect(deltas.at(-1)).toMatchObject({ mode: 'genui', libs: ['echarts'], surface: 'panel', code: CODE });
  for (const { code } of deltas) expect(CODE.startsWith(code)).toBe(true);
  const start = events.find((event) => event.type === 'tool-call-start');
  expect(start).toMatchObject({ plugin: 'p', ui: { ...DRAWS.ui }, arguments: ARGUMENTS });
  const end = events.find((event) => event.type === 'tool-call-end');
  expect(end).toMatchObject({ result: { text: 'drawn', metadata: { ui_code: 'export function App() {}' } } });
  expect(JSON.stringify(provider.requests[1]?.body)).not.toContain('function App() {}');

  // Another client that comes in the middle, the export, and the log as another process reads it.
  const middle = deltas.at(-1)?.seq ?? 0;
  const late = await followUntil(client, id, isEnd, String(middle - 1));
  expect(late).toEqual(events.filter(({ seq }) => seq >= middle));
  const other = createSessionStore(world.homeDir);
  expect([...readLog((page) => other.events(id, page))]).toEqual(events);
  other.close();
  expect(JSON.parse(await client.exportSession(id, 'json')).events).toEqual(events);
  const fork = await client.forkSession(id);
  expect(await followUntil(client, fork.id, isEnd)).toEqual(events.map((event) => ({ ...event, sessionId: fork.id })));
});

test('a session of the terminal neither sees the tool nor its guide', async () => {
  await using provider = await startScriptedProvider(chatInput('draws', PIECES));
  await using world = await createServerWorld({
    config: { model: `openai-compatible:m@${provider.url}`, channels: { p: { enabled: true } } },
    prepare: (host) => addPuppet(host, 'p', { tools: [DRAWS] }),
  });
  const client = world.client();
  const { id } = await client.createSession({ channel: 'cli' });
  expect((await client.tools(id)).map(({ name }) => name)).not.toContain('draws');
  await client.postMessage(id, { text: 'draw' });
  const events = await followUntil(client, id, isEnd);
  expect(events.map(({ type }) => type)).not.toContain('ui-delta');
  expect(events.find((event) => event.type === 'tool-call-end')).toMatchObject({ outcome: 'not-found' });
});
