import type { ToolpostEvent } from '@toolpost/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ANN_TOKEN,
  bearer,
  createServerWorld,
  followUntil,
  OTHER_TOKEN,
  type ServerWorld,
} from './fixtures/server-world.ts';

const BOARD = `
import { definePlugin, defineTool } from '@toolpost/sdk';
export default definePlugin({
  tools: [defineTool({ name: 'sketch', description: 'Sketches a board.', inputSchema: { type: 'object', properties: {} },
    ui: { mode: 'html' }, execute: () => ({ content: 'sketched', ui_code: '<b>0</b>' }) })],
  webUiAction: ({ action, data }) => action === 'count' && { content: 'counted', ui_code: '<b>' + data.n + '</b>' },
});`;

let world: ServerWorld;
let sessionId: string;
let toolCallId: string;
beforeAll(async () => {
  world = await createServerWorld({
    config: { model: 'demo', permissions: { allow: ['sketch'] } },
    prepare: (host) => host.addNative('board', BOARD, { permissions: ['tools.register', 'ui.contribute'] }),
  });
  const client = world.client();
  sessionId = (await client.createSession()).id;
  await client.postMessage(sessionId, { text: 'sketch' });
  const events = await followUntil(client, sessionId, isEnd);
  const start = events.find((event) => event.type === 'tool-call-start');
  toolCallId = start?.type === 'tool-call-start' ? start.toolCallId : '';
});
afterAll(() => world[Symbol.asyncDispose]());

const isEnd = ({ type }: ToolpostEvent) => type === 'turn-end' || type === 'turn-error';

test('what somebody does in an interface is answered by its plugin, and every client hears of the new one', async () => {
  const client = world.client();
  const { position } = await client.getSession(sessionId);
  const following = followUntil(client, sessionId, ({ type }) => type === 'ui-update', position);
  const answer = await client.uiAction(sessionId, { toolCallId, action: 'count', data: { n: 2 } });
  expect(answer).toEqual({ handled: 'plugin', result: { text: 'counted', isError: false, code: '<b>2</b>' } });
  expect((await following).at(-1)).toMatchObject({ toolCallId, mode: 'html', surface: 'inline', code: '<b>2</b>' });
  expect(await client.exportSession(sessionId, 'json')).toContain('<b>2</b>');
});

test('what the plugin does not handle is a card, which is sent on once as a turn that says whose words they are', async () => {
  const client = world.client();
  const { position } = await client.getSession(sessionId);
  const { handled, actionId = '' } = await client.uiAction(sessionId, { toolCallId, action: 'order' });
  expect(handled).toBe('card');
  const accepted = await client.sendUiAction(sessionId, actionId);
  const events = await followUntil(client, sessionId, isEnd, position);
  expect(events[0]).toMatchObject({ type: 'ui-action', actionId, plugin: 'board', action: 'order', data: {} });
  expect(events[1]).toMatchObject({ type: 'turn-start', uiAction: { actionId, toolCallId } });
  expect(accepted).toMatchObject({ sessionId, seq: events[0]?.seq });
  await expect(client.sendUiAction(sessionId, actionId)).rejects.toMatchObject({
    status: 400,
    code: 'REQUEST_INVALID',
  });
  const markdown = await client.exportSession(sessionId, 'markdown');
  expect(markdown).toContain('## An interface\n');
  expect(markdown.match(/^## You$/gm)).toHaveLength(1);
});

test.each([
  ['another tenant', OTHER_TOKEN, 404],
  ['another user', ANN_TOKEN, 404],
  ['nobody', 'no-token', 401],
])('%s reaches nothing of it', async (_who, token, status) => {
  const path = `/api/sessions/${sessionId}/ui-actions`;
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const body = JSON.stringify({ toolCallId, action: 'count', data: {} });
  expect((await world.raw(path, { method: 'POST', headers, body })).status).toBe(status);
  expect((await world.raw(`${path}/x/send`, { method: 'POST', headers })).status).toBe(status);
});

test.each([
  ['no call', { action: 'x' }, 400],
  ['another call', { toolCallId: 'other', action: 'x' }, 404],
  ['no name', { toolCallId: 'c', action: '' }, 400],
  ['a name without end', { toolCallId: 'c', action: 'x'.repeat(300) }, 400],
  ['data that is no object', { toolCallId: 'c', action: 'x', data: [1] }, 400],
  ['more than that', { toolCallId: 'c', action: 'x', user: 'root' }, 400],
])('an action with %s is refused', async (_what, body, status) => {
  const headers = { ...bearer(), 'content-type': 'application/json' };
  const path = `/api/sessions/${sessionId}/ui-actions`;
  expect((await world.raw(path, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(status);
});
