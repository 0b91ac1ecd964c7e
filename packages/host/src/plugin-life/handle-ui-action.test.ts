import { rmSync } from 'node:fs';
import type { UiAction } from '@toolpost/protocol';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { settleValue } from '../call-path/settle.ts';
import { useChannelScene } from '../channels/fixtures/channel-scene.ts';
import { addPuppet, play } from '../channels/fixtures/puppet.ts';
import { callIn, createHostWorld, type HostWorld } from '../fixtures/host-world.ts';
import type { Host } from '../host.ts';

/** A plugin without an SDK that answers actions as it is told. */
const PROGRAM = `
import { createInterface } from 'node:readline';
const version = Number(process.argv[2]);
const send = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'activate') send({ ...(version === 2 && { protocolVersion: 2 }), tools: [{ name: 'pid' + version }] });
  else if (method === 'execute_tool') send({ id, result: String(process.pid) });
  else if (method === 'cancel') continue;
  else if (method !== 'web_ui_action') process.exit(0);
  else if (params.action === 'text') send({ id, result: JSON.stringify(params) });
  else if (params.action === 'draw') send({ id, result: 'drawn', ui_code: 'again' });
  else if (params.action === 'object') send({ id, result: { content: 'drawn', ui_code: 'again', is_error: false } });
  else if (params.action === 'fail') send({ id, error: 'no such square' });
  else if (params.action !== 'hang') send({ id, error: 'web_ui_action not implemented' });
}`;

const { signal: abortSignal } = new AbortController();
const actionOf = (action: string): UiAction => ({ toolName: 't', toolCallId: 'c1', action, data: { n: 1 } });

let world: HostWorld;
let host: Host;
beforeAll(async () => {
  world = createHostWorld();
  for (const version of [1, 2]) {
    for (const permissions of [['tools.register', 'ui.contribute'], ['tools.register']]) {
      const id = `v${version}${permissions.length === 1 ? '-mute' : ''}`;
      world.write(`plugins/${id}/main.mjs`, PROGRAM);
      const program = { runtime: 'stdio', executable: 'node', args: ['main.mjs', String(version)] };
      world.write(`plugins/${id}/plugin.json`, { id, name: id, version: '1.0.0', ...program, permissions });
    }
  }
  host = await world.open();
});
afterAll(async () => {
  await host.close();
  rmSync(world.dir, { recursive: true, force: true });
});

const act = (id: string, action: string, deadlineMs?: number) =>
  host.handleUiAction(id, actionOf(action), {
    session: host.openSession({ channel: 'web', chatId: 'k' }),
    abortSignal,
    deadlineMs,
  });

describe.each(['v1', 'v2'])('a stdio plugin, %s,', (id) => {
  it('gets the words of the seeds and answers as a tool does', async () => {
    const answer = await act(id, 'text');
    if (!answer.isHandled) return expect.unreachable();
    expect(JSON.parse(String(answer.value))).toMatchObject({
      ...{ widgetId: 't', action: 'text', data: { n: 1 }, chatId: 'k', toolCallId: 'c1', channel: 'web' },
    });
    for (const action of ['draw', 'object']) {
      const drawn = await act(id, action);
      const { result } = settleValue(drawn.isHandled && drawn.value);
      expect(result).toMatchObject({ content: [{ text: 'drawn' }], metadata: { ui_code: 'again' }, isError: false });
    }
  });

  it('that has no such method does not handle it, and one that fails says why', async () => {
    expect(await act(id, 'other')).toEqual({ isHandled: false });
    await expect(act(id, 'fail')).rejects.toThrow('no such square');
  });

  it('is not asked without the permission ui.contribute', async () => {
    expect(await act(`${id}-mute`, 'text')).toEqual({ isHandled: false });
  });

  it('that hangs is given up at the deadline, and serves the next call', async () => {
    await expect(act(id, 'hang', 50)).rejects.toThrow(`the plugin ${id} did not answer the action within 50 ms`);
    expect(await callIn(host, host.openSession(), `pid${id[1]}`)).toMatchObject({ outcome: 'completed' });
  });
});

test('a plugin that is not there handles nothing', async () => {
  expect(await act('nobody', 'text')).toEqual({ isHandled: false });
});

describe('a channel', () => {
  const scene = useChannelScene();

  it('is asked through its own requests, and hangs alone', async () => {
    addPuppet(scene().world, 'p', { tools: [{ name: 'draws' }] });
    await scene().serve({ p: { enabled: true } });
    const session = scene().host.openSession({ channel: 'p' });
    const ask = (action: string, deadlineMs?: number) =>
      scene().host.handleUiAction('p', actionOf(action), { session, abortSignal, deadlineMs });
    const counted = await ask('count');
    const { result } = settleValue(counted.isHandled && counted.value);
    expect(result.metadata).toEqual({ ui_code: 'again' });
    expect(JSON.parse(JSON.stringify(result.content[0])).text).toContain('"widgetId":"t"');
    expect(await ask('text')).toEqual({ isHandled: true, value: 'done' });
    expect(await ask('other')).toEqual({ isHandled: false });
    await expect(ask('fail')).rejects.toThrow('no such square');
    await expect(ask('hang', 50)).rejects.toThrow('within 50 ms');
    expect((await play(scene().host, 'p')).map(({ type }) => type)).toContain('channel_config');
  });
});
