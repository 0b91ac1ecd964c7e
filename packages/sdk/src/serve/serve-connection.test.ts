import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { defineChannel } from '../plugin/define-channel.ts';
import { definePlugin, type PluginOptions } from '../plugin/define-plugin.ts';
import { createLinkedConnection } from '../testing/linked-connection.ts';
import { ChannelWire } from './channel-wire.ts';
import type { ConnectionListener } from './plugin-connection.ts';
import { serveConnection } from './serve-connection.ts';

const echo = defineTool({ name: 'echo', description: 'd', execute: (_input, context) => context.input });

/** A plugin served in memory, with the raw messages in the test's hands. */
function serve(options: PluginOptions) {
  const { pluginEnd, hostEnd } = createLinkedConnection();
  const received: JsonObject[] = [];
  const logs: string[] = [];
  const listeners: ConnectionListener[] = [];
  let wake = Promise.withResolvers<void>();
  hostEnd.listen((line) => {
    received.push(JSON.parse(line));
    wake.resolve();
    wake = Promise.withResolvers();
  });
  const listen = (listener: ConnectionListener): void => {
    listeners.push(listener);
    pluginEnd.listen(listener);
  };
  const ended = serveConnection(definePlugin(options), { ...pluginEnd, listen }, { log: (text) => logs.push(text) });
  return {
    ended,
    logs,
    hostEnd,
    listener: () => listeners[0],
    send: (message: JsonObject) => hostEnd.send(JSON.stringify(message)),
    async next(): Promise<JsonObject | undefined> {
      while (received.length === 0) await wake.promise;
      return received.shift();
    },
  };
}

async function activated(options: PluginOptions) {
  const served = serve(options);
  served.send({ method: 'activate', params: { pluginId: 'p' } });
  expect(await served.next()).toHaveProperty('tools');
  return served;
}

describe('serveConnection', () => {
  it('gives back an id as it came', async () => {
    const served = await activated({ tools: [echo] });
    for (const id of [7, '7', 'a"b']) {
      served.send({ id, method: 'execute_tool', params: { toolName: 'echo', input: '{"n":1}' } });
      expect(await served.next()).toEqual({ id, result: '{"n":1}' });
    }
  });

  it('takes empty arguments for none', async () => {
    const said = defineTool({ name: 'echo', description: '', execute: (input) => JSON.stringify(input) });
    const served = await activated({ tools: [said] });
    for (const input of ['', 'null', '{}', undefined]) {
      served.send({ id: '1', method: 'execute_tool', params: { toolName: 'echo', input } });
      expect(await served.next()).toEqual({ id: '1', result: '{}' });
    }
  });

  it('fails the call whose line was too long to read', async () => {
    const served = await activated({ tools: [echo] });
    served.listener()?.onOverlongLine(1000, '{"id":"a\\"b","method":"execute_tool","params":{"inp');
    expect(await served.next()).toEqual({
      id: 'a"b',
      error: 'a line of at least 1000 bytes is more than this plugin takes',
    });
    served.listener()?.onOverlongLine(1000, 'xxxxx');
    expect(await served.next()).toEqual({ error: 'a line of at least 1000 bytes is more than this plugin takes' });
  });

  it('keeps calls that come during the activation until it is done', async () => {
    const gate = Promise.withResolvers<void>();
    const served = serve({ tools: [echo], activate: () => gate.promise });
    served.send({ method: 'activate', params: {} });
    served.send({ id: '1', method: 'execute_tool', params: { toolName: 'echo', input: '{}' } });
    served.send({ method: 'execute_tool', params: { toolName: 'echo', input: '{}' } });
    gate.resolve();
    expect(await served.next()).toHaveProperty('tools');
    const answers = [await served.next(), await served.next()];
    expect(answers).toContainEqual({ id: '1', result: '{}' });
    expect(answers).toContainEqual({ result: '{}' });
  });

  it('answers an activation that fails with its reason, and may be tried again', async () => {
    let tries = 0;
    const served = serve({
      activate() {
        tries += 1;
        if (tries === 1) throw new Error('no licence');
      },
    });
    served.send({ method: 'activate', params: {} });
    expect(await served.next()).toEqual({ error: 'no licence' });
    served.send({ method: 'activate', params: {} });
    expect(await served.next()).toEqual({ tools: [] });
    served.send({ method: 'activate', params: {} });
    expect(await served.next()).toEqual({ error: 'the plugin is active already' });
  });

  it('drops what a tool streams after its answer', async () => {
    const outputs: ((text: string) => void)[] = [];
    const leaky = defineTool({
      name: 'leaky',
      description: 'd',
      execute(_input, { output }) {
        outputs.push(output);
        return 'done';
      },
    });
    const served = await activated({ tools: [leaky, echo] });
    served.send({ id: '1', method: 'execute_tool', params: { toolName: 'leaky' } });
    expect(await served.next()).toEqual({ id: '1', result: 'done' });
    for (const output of outputs) output('late');
    served.send({ id: '2', method: 'execute_tool', params: { toolName: 'echo' } });
    expect(await served.next()).toEqual({ id: '2', result: '{}' });
  });

  it('rejects what a tool still asks when the host is gone, and logs a deactivate that fails', async () => {
    const asking = defineTool({ name: 'asks', description: 'd', execute: (_input, { storage }) => storage.get('k') });
    const served = await activated({
      tools: [asking],
      deactivate() {
        throw new Error('still busy');
      },
    });
    served.send({ id: '1', method: 'execute_tool', params: { toolName: 'asks' } });
    expect(await served.next()).toMatchObject({ method: 'storage_get' });
    served.hostEnd.end();
    expect(await served.next()).toEqual({ id: '1', error: 'storage_get: the host is gone' });
    await served.ended;
    expect(served.logs).toEqual(['deactivate failed: still busy']);
  });
});

describe('actions of interfaces', () => {
  const options: PluginOptions = {
    webUiAction({ toolName, action, data }, { session }) {
      if (action === 'fail') throw new Error('no such square');
      return action === 'count' && { content: `${toolName} ${data.n} ${session.user}`, ui_code: '<b>' };
    },
  };
  const params = { widgetId: 'sketch', toolCallId: 'c1', action: 'count', data: { n: 2 }, user: 'ann' };
  const counted = { content: [{ type: 'text', text: 'sketch 2 ann' }], isError: false, metadata: { ui_code: '<b>' } };

  it.each<[string, JsonObject, JsonObject]>([
    ['one that is handled', params, { result: counted }],
    ['one of a host of the seeds, whose data is JSON text', { ...params, data: '{"n":2}' }, { result: counted }],
    ['one that is left to the user', { ...params, action: 'x' }, { error: 'web_ui_action not implemented' }],
    ['one that fails', { ...params, action: 'fail' }, { error: 'no such square' }],
  ])('are answered: %s', async (_what, given, answer) => {
    const served = await activated(options);
    served.send({ id: 'a', method: 'web_ui_action', params: given });
    expect(await served.next()).toEqual({ id: 'a', ...answer });
  });

  it('come to a channel as requests', async () => {
    const { pluginEnd, hostEnd } = createLinkedConnection();
    const lines: JsonObject[] = [];
    const answered = Promise.withResolvers<void>();
    hostEnd.listen((line) => {
      lines.push(JSON.parse(line));
      if (lines.at(-1)?.id === 'srv-2') answered.resolve();
    });
    const channel = defineChannel({ name: 'echo', start: () => {}, onReply: () => {}, ...options });
    const extend = (calls: ConstructorParameters<typeof ChannelWire>[1]) => new ChannelWire(channel.channel, calls);
    void serveConnection(channel, pluginEnd, { log: () => {}, extend });
    const send = (message: JsonObject) => hostEnd.send(JSON.stringify(message));
    send({ method: 'activate', params: { pluginId: 'echo' } });
    send({ type: 'rpc', id: 'srv-1', method: 'web_ui_action', params });
    send({ type: 'rpc', id: 'srv-2', method: 'web_ui_action', params: { ...params, action: 'x' } });
    await answered.promise;
    expect(lines).toContainEqual({ id: 'srv-1', result: counted });
    expect(lines).toContainEqual({ id: 'srv-2', error: 'web_ui_action not implemented' });
  });
});
