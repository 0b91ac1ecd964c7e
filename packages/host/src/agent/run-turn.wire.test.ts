import type { ToolDefinition } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import {
  anthropicEvents,
  chatCall,
  chatChunks,
  type ProviderAnswer,
  responsesEvents,
  startScriptedProvider,
} from '../models/fixtures/scripted-provider.ts';
import { resolveModel } from '../models/resolve-model.ts';
import { createCallRecorder, createEventLog } from './fixtures/call-recorder.ts';
import type { HistoryMessage } from './history.ts';
import { runTurn } from './run-turn.ts';

const weather: ToolDefinition = {
  name: 'weather',
  description: 'Get weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const noParameters: ToolDefinition = { name: 'now', description: 'The time.', inputSchema: { type: 'object' } };
const keys = { OPENAI_API_KEY: 'sk-test', ANTHROPIC_API_KEY: 'ak-test' };

async function play(
  spec: string,
  options: { environment?: object; history?: HistoryMessage[]; signal?: AbortSignal; idleMs?: number } = {},
) {
  const { idleMs } = options;
  const model = await resolveModel(spec, { environment: { ...keys, ...options.environment }, idleMs });
  const log = createEventLog();
  const { callTool, made } = createCallRecorder(({ name }) => (name === 'weather' ? '{"temp":21}' : 'noon'));
  const running = runTurn({
    ...{ model, callTool, text: 'Weather in Oslo?', history: options.history ?? [] },
    tools: [weather, noParameters],
    onEvent: log.onEvent,
    abortSignal: options.signal ?? new AbortController().signal,
    clock: { now: Date.now, sleep: async () => undefined },
  });
  return { running, log, made };
}

const chatRound: ProviderAnswer = {
  events: chatChunks(
    [
      { content: 'Let me ' },
      { content: 'look.' },
      ...chatCall(0, 'weather', '{"city":"Oslo"}'),
      ...chatCall(1, 'now', '{}'),
    ],
    'tool_calls',
  ),
};
const chatAnswer: ProviderAnswer = { events: chatChunks([{ content: '21 degrees.' }]) };

describe('a turn over the chat completions wire', () => {
  it('streams, calls and answers', async () => {
    await using provider = await startScriptedProvider([chatRound, chatAnswer]);
    const { running, log, made } = await play(`openai-compatible:llama3:8b@${provider.url}`);
    const result = await running;

    expect(result).toMatchObject({ reason: 'completed', text: '21 degrees.' });
    expect(result.usage).toEqual({ inputTokens: 14, outputTokens: 6, totalTokens: 20 });
    expect(made.map((call) => call.arguments)).toEqual(['{"city":"Oslo"}', '{}']);
    expect(log.events.filter(({ type }) => type === 'text-delta')).toHaveLength(3);
    const [first, second] = provider.requests;
    expect(first).toMatchObject({ path: '/v1/chat/completions', body: { model: 'llama3:8b', stream: true } });
    expect(first?.headers.authorization).toBe('Bearer sk-test');
    expect(first?.body.tools).toMatchObject([
      { function: { name: 'weather', parameters: weather.inputSchema } },
      { function: { name: 'now', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(second?.body.messages).toMatchObject([
      { role: 'user', content: 'Weather in Oslo?' },
      { role: 'assistant', content: 'Let me look.', tool_calls: [{ id: 'call_0' }, { id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_0', content: '{"temp":21}' },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
    ]);
  });

  it('fails with the text kept when the stream is cut cleanly or with a reset, and runs no half call', async () => {
    for (const end of ['cleanly', 'broken'] as const) {
      const events = chatChunks([{ content: 'Let me' }, ...chatCall(0, 'weather', '{"city":"Os')], null);
      await using provider = await startScriptedProvider([{ events, end }]);
      const { running, log, made } = await play(`openai-compatible:m@${provider.url}`);
      const { reason, text, messages } = await running;
      expect(reason).toBe('error');
      expect(text).toContain('send the prompt again');
      expect(made).toEqual([]);
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Let me' }] });
      expect(log.types().at(-1)).toBe('turn-error');
    }
  });

  it('asks again after a 429', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' }, json: { error: { message: 'slow down' } } };
    await using provider = await startScriptedProvider([busy, chatAnswer]);
    const { running, log } = await play(`openai-compatible:m@${provider.url}`);
    expect((await running).reason).toBe('completed');
    expect(log.events[1]).toMatchObject({ type: 'warning', message: expect.stringContaining('429 slow down.') });
  });

  it.each([502, 429, '503'])('asks again after an error inside the stream with the code %j', async (code) => {
    const failed: ProviderAnswer = { events: [{ error: { code, message: 'Upstream went away' } }] };
    await using provider = await startScriptedProvider([failed, chatAnswer]);
    const { running, log } = await play(`openai-compatible:m@${provider.url}`);
    expect(await running).toMatchObject({ reason: 'completed', text: '21 degrees.' });
    expect(log.events[1]).toMatchObject({
      type: 'warning',
      message: expect.stringContaining(`${code} Upstream went away.`),
    });
  });

  it('does not ask again after an error inside the stream that no second try mends', async () => {
    const failed: ProviderAnswer = { events: [{ error: { code: 400, message: 'Bad grammar' } }] };
    await using provider = await startScriptedProvider([failed, chatAnswer]);
    const { running } = await play(`openai-compatible:m@${provider.url}`);
    expect((await running).text).toContain('400 Bad grammar. Change what the message names');
    expect(provider.requests).toHaveLength(1);
  });

  it('says which variable holds a refused key', async () => {
    await using provider = await startScriptedProvider([{ status: 401, json: { error: { message: 'bad key' } } }]);
    const { running } = await play(`openai-compatible:m@${provider.url}`);
    expect((await running).text).toBe(
      'The model m (openai-compatible.chat) failed: 401 bad key. Check the key in OPENAI_API_KEY.',
    );
  });

  it('says that nobody listens at the address', async () => {
    const provider = await startScriptedProvider([]);
    await provider[Symbol.asyncDispose]();
    const { running } = await play(`openai-compatible:m@${provider.url}`);
    const { reason, text } = await running;
    expect(reason).toBe('error');
    expect(text).toContain('ECONNREFUSED');
    expect(text).toContain('Check that its server runs');
  });

  it('ends the request when the turn is cancelled', async () => {
    const events = chatChunks([{ content: 'Well' }], null);
    await using provider = await startScriptedProvider([{ events, end: 'hangs' }]);
    const abort = new AbortController();
    const { running, log } = await play(`openai-compatible:m@${provider.url}`, { signal: abort.signal });
    await log.next('text-delta');
    abort.abort();
    expect(await running).toMatchObject({ reason: 'cancelled', text: 'Well' });
    await provider.hungUp;
  });

  it('takes a connection on which nothing comes for dead, and asks once more', async () => {
    await using provider = await startScriptedProvider([{ events: [], end: 'hangs' }, chatAnswer]);
    const { running, log } = await play(`openai-compatible:m@${provider.url}`, { idleMs: 500 });
    expect(await running).toMatchObject({ reason: 'completed', text: '21 degrees.' });
    expect(log.events[1]).toMatchObject({
      type: 'warning',
      message: expect.stringMatching(/nothing came from it for 500ms.*taken for dead\. Trying again/),
    });
    await provider.hungUp;
  });

  it('ends with an error that says what to do when nothing comes the second time either', async () => {
    const silent: ProviderAnswer = { events: [], end: 'hangs' };
    await using provider = await startScriptedProvider([silent, 'never', chatAnswer]);
    const { running, log } = await play(`openai-compatible:m@${provider.url}`, { idleMs: 500 });
    const { reason, text } = await running;
    expect(reason).toBe('error');
    expect(text).toMatch(/nothing came from it for 500ms.* Check that its server runs .* send the prompt again/);
    await expect.poll(() => provider.requests.length).toBe(2);
    expect(log.types().at(-1)).toBe('turn-error');
  });

  it('keeps what came before the silence, and does not say it twice', async () => {
    const events = chatChunks([{ content: 'Half an ans' }], null);
    await using provider = await startScriptedProvider([{ events, end: 'hangs' }, chatAnswer]);
    const { running } = await play(`openai-compatible:m@${provider.url}`, { idleMs: 500 });
    const { reason, text, messages } = await running;
    expect({ reason, text }).toMatchObject({ reason: 'error', text: expect.stringContaining('nothing came') });
    expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'Half an ans' }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('does not take a provider for dead that sends signs of life while its model thinks', async () => {
    const pings = Array.from({ length: 8 }, () => ({ comment: 'thinking', waitMs: 150 }));
    await using provider = await startScriptedProvider([{ events: chatAnswer.events ?? [], before: pings }]);
    const { running } = await play(`openai-compatible:m@${provider.url}`, { idleMs: 1000 });
    expect(await running).toMatchObject({ reason: 'completed', text: '21 degrees.' });
    expect(provider.requests).toHaveLength(1);
  });

  it('never carries an image as text', async () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'shot', input: {} } as const;
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo' } } as const;
    const output = { type: 'content', value: [{ type: 'text', text: 'a chart' }, file] } as const;
    const history: HistoryMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'shot' }] },
      { role: 'assistant', content: [call] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: '1', toolName: 'shot', output: { ...output, value: [...output.value] } },
        ],
      },
    ];
    await using provider = await startScriptedProvider([chatAnswer]);
    await (await play(`openai-compatible:m@${provider.url}`, { history })).running;
    const messages = (provider.requests[0]?.body.messages ?? []) as { role: string; content: unknown }[];
    const line = '(A image/png file was returned here. It stands in the next message of the user.)';
    expect(messages.find(({ role }) => role === 'tool')?.content).toBe(`a chart\n${line}`);
    expect(JSON.stringify(messages).split('iVBORw0KGgo')).toHaveLength(2);
    expect(messages.at(-1)?.content).toMatchObject([
      { type: 'text' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo' } },
      { type: 'text', text: 'Weather in Oslo?' },
    ]);
  });
});

describe("a turn over Anthropic's wire", () => {
  it('streams, calls and answers', async () => {
    const blocks = [{ text: 'Looking.' }, { id: 'toolu_1', name: 'weather', json: '{"city":"Oslo"}' }];
    await using provider = await startScriptedProvider([
      { events: anthropicEvents(blocks, 'tool_use') },
      { events: anthropicEvents([{ text: '21.' }], 'end_turn') },
    ]);
    const environment = { ANTHROPIC_BASE_URL: provider.url.replace('/v1', '') };
    const { running, made } = await play('anthropic:claude', { environment });
    expect(await running).toMatchObject({ reason: 'completed', text: '21.' });
    expect(made).toEqual([{ id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' }]);
    expect(provider.requests[1]).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': 'ak-test' } });
    expect(provider.requests[1]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool_use', id: 'toolu_1', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
    ]);
  });

  it('marks the end of the prompt for the cache', async () => {
    await using provider = await startScriptedProvider([{ events: anthropicEvents([{ text: 'Hi.' }], 'end_turn') }]);
    await (await play('anthropic:claude', { environment: { ANTHROPIC_BASE_URL: provider.url } })).running;
    expect(provider.requests[0]?.body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', cache_control: { type: 'ephemeral' } }] },
    ]);
  });

  it('keeps a history that can be sent when the model makes up a name that every object has', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const blocks = names.map((name, index) => ({ id: `toolu_${index}`, name, json: '{}' }));
    await using provider = await startScriptedProvider([
      { events: anthropicEvents(blocks, 'tool_use') },
      { events: anthropicEvents([{ text: 'Sorry.' }], 'end_turn') },
    ]);
    const { running, made } = await play('anthropic:claude', { environment: { ANTHROPIC_BASE_URL: provider.url } });
    expect(await running).toMatchObject({ reason: 'completed', text: 'Sorry.' });
    expect(made.map(({ name }) => name)).toEqual(names);
    const sent = names.map((name) => ({ type: 'tool_use', name: `${name}_` }));
    expect(provider.requests[1]?.body.messages).toMatchObject([{}, { role: 'assistant', content: sent }, {}]);
  });

  it('fails when the stream ends in the middle', async () => {
    const events = anthropicEvents([{ text: 'Half' }], 'end_turn').slice(0, 3);
    await using provider = await startScriptedProvider([{ events, end: 'cleanly' }]);
    const { running } = await play('anthropic:claude', { environment: { ANTHROPIC_BASE_URL: provider.url } });
    expect(await running).toMatchObject({ reason: 'error' });
  });

  it('asks again when it is overloaded inside the stream', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    await using provider = await startScriptedProvider([
      { events: [overloaded] },
      { events: anthropicEvents([{ text: 'Hi.' }], 'end_turn') },
    ]);
    const { running } = await play('anthropic:claude', { environment: { ANTHROPIC_BASE_URL: provider.url } });
    expect(await running).toMatchObject({ reason: 'completed', text: 'Hi.' });
  });
});

describe("a turn over OpenAI's wire", () => {
  it('uses responses, stores nothing there, and sends the whole conversation again', async () => {
    await using provider = await startScriptedProvider([
      { events: responsesEvents({ name: 'weather', args: '{"city":"Oslo"}' }) },
      { events: responsesEvents({ text: '21.' }) },
    ]);
    const { running, made } = await play('openai:gpt-5', { environment: { OPENAI_BASE_URL: provider.url } });
    expect(await running).toMatchObject({ reason: 'completed', text: '21.' });
    expect(made[0]?.arguments).toBe('{"city":"Oslo"}');
    expect(provider.requests[1]).toMatchObject({ path: '/v1/responses', body: { store: false } });
    expect(provider.requests[1]?.body.input).toMatchObject([
      { role: 'user' },
      { type: 'function_call', call_id: 'call_0', arguments: '{"city":"Oslo"}' },
      { type: 'function_call_output', call_id: 'call_0', output: '{"temp":21}' },
    ]);
  });

  it('goes over to chat completions where the address knows no responses', async () => {
    const missing = { status: 404, json: { error: { message: 'no such path' } } };
    await using provider = await startScriptedProvider([chatRound, chatAnswer], { '/v1/responses': missing });
    const { running } = await play('openai:gpt-5', { environment: { OPENAI_BASE_URL: provider.url } });
    expect(await running).toMatchObject({ reason: 'completed', text: '21 degrees.' });
    expect(provider.requests.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
  });
});
