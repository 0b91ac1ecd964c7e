import type { JsonObject } from '@toolpost/protocol';
import { describe, expect, it, vi } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import type { ChannelReply } from '../plugin/channel.ts';
import { type ChannelOptions, defineChannel } from '../plugin/define-channel.ts';
import { ChannelWire } from './channel-wire.ts';
import type { ConnectionListener, PluginConnection } from './plugin-connection.ts';
import { serveConnection } from './serve-connection.ts';

/** A served channel, and the host's end of its connection. */
function serve(options: Partial<ChannelOptions> = {}) {
  const sent: JsonObject[] = [];
  const waiting: { isMeant: (message: JsonObject) => boolean; resolve: (message: JsonObject) => void }[] = [];
  let listener: ConnectionListener | undefined;
  const connection: PluginConnection = {
    backlog: 0,
    send(line) {
      const message: JsonObject = JSON.parse(line);
      sent.push(message);
      for (const one of waiting) if (one.isMeant(message)) one.resolve(message);
    },
    listen(given) {
      listener = given;
    },
  };
  const channel = defineChannel({ name: 'echo', start: () => {}, onReply: () => {}, ...options });
  const log = () => {};
  const served = serveConnection(channel, connection, {
    log,
    extend: (calls) => new ChannelWire(channel.channel, calls),
  });
  return {
    sent,
    served,
    say: (message: JsonObject) => listener?.onLine(JSON.stringify(message)),
    until(isMeant: (message: JsonObject) => boolean): Promise<JsonObject> {
      const found = sent.find(isMeant);
      return found ? Promise.resolve(found) : new Promise((resolve) => waiting.push({ isMeant, resolve }));
    },
  };
}

const config = (given: JsonObject = {}) => ({
  type: 'channel_config',
  metadata: { config: JSON.stringify(given), serving: 'true' },
});
const tool = defineTool({ name: 'echo_status', description: 'd', execute: (_, { session }) => session.channel });
const text = (reply_id: string, content = 'hi') => ({
  type: 'text',
  chat_id: 'c',
  content,
  metadata: { reply_id, request_id: 'r', reason: 'completed' },
});

describe('a served channel', () => {
  it('tells what it is, and declares what it has when it is configured', async () => {
    const { say, until } = serve({ configSchema: [{ key: 'a' }], declares: { tools: [tool], prompt: { p: 'text' } } });
    say({ method: 'activate', params: { pluginId: 'echo', protocolVersions: [1] } });
    const answer = await until(({ channel_provider }) => channel_provider !== undefined);
    expect(answer.channel_provider).toEqual({ name: 'echo', config_schema: [{ key: 'a' }], accepts_replies: true });
    say(config());
    expect(await until(({ type }) => type === 'channel_prompt')).toEqual({
      type: 'channel_prompt',
      system_parts: { p: 'text' },
    });
    expect(await until(({ type }) => type === 'channel_tools')).toMatchObject({ tools: [{ name: 'echo_status' }] });
  });

  it('answers what the host asks only once it has started', async () => {
    const started = Promise.withResolvers<void>();
    const { say, until, sent } = serve({ start: () => started.promise, declares: { tools: [tool] } });
    say(config());
    say({ type: 'rpc', id: 'srv-1', method: 'ping', params: {} });
    say({
      type: 'rpc',
      id: 'srv-2',
      method: 'execute_tool',
      params: { name: 'echo_status', input: '{}', context: { channel: 'echo' } },
    });
    await until(({ type }) => type === 'channel_tools');
    expect(sent.some(({ id }) => id === 'srv-1')).toBe(false);
    started.resolve();
    expect(await until(({ id }) => id === 'srv-1')).toEqual({ id: 'srv-1', result: 'pong' });
    expect(await until(({ id }) => id === 'srv-2')).toEqual({ id: 'srv-2', result: 'echo' });
  });

  it('sends a message in its own name, and reads the receipt', async () => {
    const receipt = Promise.withResolvers<unknown>();
    const { say, until } = serve({
      start: (channel) =>
        void channel.sendInbound({ chatId: 'c', content: 'hi', senderId: 'ann', requestId: 'r' }).then(receipt.resolve),
    });
    say(config());
    const request = await until(({ method }) => method === 'send_inbound');
    expect(request.params).toMatchObject({
      channel: 'echo',
      chat_id: 'c',
      content: 'hi',
      sender_id: 'ann',
      chat_type: 'p2p',
      request_id: 'r',
    });
    say({
      type: 'rpc_response',
      id: request.id,
      result: { message_id: '9', duplicate: true, reply: { text: 'before', reason: 'error' } },
    });
    expect(await receipt.promise).toEqual({
      messageId: '9',
      isDuplicate: true,
      reply: { text: 'before', isError: true },
    });
  });

  it('accepts a reply when it is handed on, once for all deliveries that come meanwhile', async () => {
    const replies: ChannelReply[] = [];
    const handed = Promise.withResolvers<void>();
    const { say, until, sent } = serve({
      onReply(reply) {
        replies.push(reply);
        return handed.promise;
      },
    });
    say(config());
    say(text('5'));
    say(text('5'));
    handed.resolve();
    expect((await until(({ method }) => method === 'accept_reply')).params).toEqual({ reply_id: '5' });
    expect(replies).toEqual([
      { chatId: 'c', text: 'hi', replyId: '5', requestId: 'r', reason: 'completed', isError: false },
    ]);
    expect(sent.filter(({ method }) => method === 'accept_reply')).toHaveLength(1);
  });

  it('tries a reply again that could not be handed on', async () => {
    let tries = 0;
    const { say, until } = serve({
      onReply() {
        tries += 1;
        if (tries === 1) throw new Error('not now');
      },
    });
    say(config());
    say(text('6'));
    await until(({ method }) => method === 'accept_reply');
    expect(tries).toBe(2);
  });

  it('never gives up a reply, however long nobody takes it', async () => {
    vi.useFakeTimers();
    try {
      let tries = 0;
      const { say, sent } = serve({
        onReply() {
          tries += 1;
          if (tries <= 30) throw new Error('the service is down');
        },
      });
      say(config());
      say(text('7'));
      await vi.advanceTimersByTimeAsync(20 * 60_000);
      expect(sent.some(({ method }) => method === 'accept_reply')).toBe(false);
      await vi.advanceTimersByTimeAsync(20 * 60_000);
      expect(tries).toBe(31);
      expect(sent.filter(({ method }) => method === 'accept_reply')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('says again that a reply has arrived where the host could not note it, and hands it on once', async () => {
    vi.useFakeTimers();
    try {
      const replies: ChannelReply[] = [];
      const { say, sent } = serve({ onReply: (reply) => void replies.push(reply) });
      const accepts = () => sent.filter(({ method }) => method === 'accept_reply');
      say(config());
      say(text('8'));
      await vi.advanceTimersByTimeAsync(0);
      say({ type: 'rpc_response', id: accepts()[0]?.id, error: 'the disk is full' });
      say(text('8'));
      await vi.advanceTimersByTimeAsync(1000);
      expect(accepts()).toHaveLength(2);
      expect(replies).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('lets what it hands on arrive before it ends', async () => {
    const handing = Promise.withResolvers<void>();
    const handed = Promise.withResolvers<void>();
    const ends: string[] = [];
    const { say, until, sent } = serve({
      onReply() {
        handing.resolve();
        return handed.promise;
      },
      stop: () => void ends.push(sent.some(({ method }) => method === 'accept_reply') ? 'after' : 'before'),
    });
    say({ method: 'activate', params: { pluginId: 'echo' } });
    await until(({ channel_provider: provider }) => provider !== undefined);
    say(config());
    say(text('9'));
    await handing.promise;
    say({ method: 'deactivate' });
    handed.resolve();
    await until(({ method }) => method === 'accept_reply');
    await vi.waitFor(() => expect(ends).toEqual(['after']));
  });

  it.each([
    [{ name: 'a b' }, 'name must be a channel name'],
    [{ start: 5 }, 'start must be a function, got 5'],
    [{ onReply: undefined }, 'onReply must be a function'],
  ])('refuses %j', (wrong, message) => {
    expect(() => defineChannel({ name: 'a', start: () => {}, onReply: () => {}, ...wrong } as never)).toThrow(message);
  });
});
