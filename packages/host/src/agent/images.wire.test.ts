import { describe, expect, it } from 'vitest';
import type { ProviderAnswer } from '../models/fixtures/scripted-provider.ts';
import {
  anthropicEvents,
  chatChunks,
  responsesEvents,
  startScriptedProvider,
} from '../models/fixtures/scripted-provider.ts';
import { resolveModel } from '../models/resolve-model.ts';
import { createCallRecorder, createEventLog } from './fixtures/call-recorder.ts';
import { runTurn } from './run-turn.ts';

/** One black pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const shot = { name: 'shot', description: 'Takes a picture of the screen.', inputSchema: { type: 'object' } };

/** A turn in which the model takes a picture and speaks about it. */
async function takePicture(spec: (url: string) => string, answers: readonly ProviderAnswer[]) {
  await using provider = await startScriptedProvider(answers);
  const environment = {
    OPENAI_API_KEY: 'k',
    ANTHROPIC_API_KEY: 'k',
    OPENAI_BASE_URL: provider.url,
    ANTHROPIC_BASE_URL: provider.url,
  };
  const log = createEventLog();
  const content = [
    { type: 'text', text: 'The screen:' } as const,
    { type: 'image', data: PNG, mimeType: 'image/png' } as const,
  ];
  const { callTool } = createCallRecorder(() => ({ text: 'The screen:', content }));
  const result = await runTurn({
    model: await resolveModel(spec(provider.url), { environment }),
    ...{ history: [], text: 'take a shot', tools: [shot], callTool, onEvent: log.onEvent },
    abortSignal: new AbortController().signal,
  });
  return { result, log, requests: provider.requests };
}

const anthropicCall = { events: anthropicEvents([{ id: 'toolu_1', name: 'shot', json: '{}' }], 'tool_use') };
const anthropicText = { events: anthropicEvents([{ text: 'Black.' }], 'end_turn') };

/** Two pictures at once. */
const chatShots = {
  events: chatChunks(
    ['c0', 'c1'].map((id, index) => ({
      tool_calls: [{ index, id, type: 'function', function: { name: 'shot', arguments: '{}' } }],
    })),
    'tool_calls',
  ),
};
const chatText = { events: chatChunks([{ content: 'Black.' }]) };

describe('an image in a result', () => {
  it("reaches Anthropic's model as an image", async () => {
    const { result, requests } = await takePicture(() => 'anthropic:claude', [anthropicCall, anthropicText]);
    expect(result.text).toBe('Black.');
    const source = { type: 'base64', media_type: 'image/png', data: PNG };
    expect(requests[1]?.body.messages).toMatchObject([
      {},
      {},
      {
        content: [
          {
            type: 'tool_result',
            content: [
              { type: 'text', text: 'The screen:' },
              { type: 'image', source },
            ],
          },
        ],
      },
    ]);
  });

  it("reaches OpenAI's model as an image", async () => {
    const { result, requests } = await takePicture(
      () => 'openai:gpt-5',
      [{ events: responsesEvents({ name: 'shot', args: '{}' }) }, { events: responsesEvents({ text: 'Black.' }) }],
    );
    expect(result.text).toBe('Black.');
    expect(requests[1]?.body.input).toMatchObject([
      {},
      {},
      {
        type: 'function_call_output',
        output: [
          { type: 'input_text', text: 'The screen:' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
        ],
      },
    ]);
  });

  it('reaches a model of the chat completions wire in a message of the user behind the results', async () => {
    const { result, requests } = await takePicture((url) => `openai-compatible:m@${url}`, [chatShots, chatText]);
    expect(result.text).toBe('Black.');
    const line = 'The screen:\n(A image/png file was returned here. It stands in the next message of the user.)';
    const url = `data:image/png;base64,${PNG}`;
    const from = (id: string) => `(From the tool shot, call ${id}, and not from the user:)`;
    expect(requests[1]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'c0' }, { id: 'c1' }] },
      { role: 'tool', tool_call_id: 'c0', content: line },
      { role: 'tool', tool_call_id: 'c1', content: line },
      {
        role: 'user',
        content: [
          { type: 'text', text: from('c0') },
          { type: 'image_url', image_url: { url } },
          { type: 'text', text: from('c1') },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ]);
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('stands with what the user says next in one message of the chat completions wire', async () => {
    const { requests } = await takePicture(
      (url) => `openai-compatible:m@${url}`,
      [chatShots, { events: chatChunks([]) }, chatText],
    );
    const messages = (requests[2]?.body.messages ?? []) as { role: string; content: unknown }[];
    const [last, before] = messages.toReversed();
    expect([before?.role, last?.role]).toEqual(['tool', 'user']);
    expect(JSON.stringify(last)).toMatch(/From the tool shot.*image_url.*Your last answer was empty/);
  });

  it.each([
    [400, 'This model does not support images. Please use a model that does.'],
    [400, 'messages[3]: unknown variant `image_url`, expected `text` at line 1 column 2045'],
    [422, 'body.messages.3.content: Input should be a valid string'],
    [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
  ])('is a text after a server of that wire has refused it, with %i: %s', async (status, message) => {
    const refused = { status, json: { error: { message, code: status, type: 'server_error' } } };
    const { result, requests, log } = await takePicture(
      (url) => `openai-compatible:m@${url}`,
      [chatShots, refused, chatText],
    );
    expect(result).toMatchObject({ reason: 'completed', text: 'Black.' });
    expect(requests).toHaveLength(3);
    expect(JSON.stringify(requests[2]?.body)).not.toContain(PNG.slice(0, 20));
    expect(JSON.stringify(requests[2]?.body)).toContain('This model does not take it');
    expect(log.types().filter((type) => type === 'warning')).toHaveLength(1);
  });

  it('is a text for the demo model', async () => {
    const { result } = await takePicture(() => 'demo', []);
    expect(result.text).toContain('(a image/png file)');
  });

  it('becomes a text when the model refuses it, with a warning, and the turn goes on', async () => {
    const refused = {
      status: 400,
      json: {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'This model does not support image input.' },
      },
    };
    const { result, requests, log } = await takePicture(
      () => 'anthropic:claude',
      [anthropicCall, refused, anthropicText],
    );
    expect(result).toMatchObject({ reason: 'completed', text: 'Black.' });
    expect(log.events).toContainEqual({
      type: 'warning',
      message: 'The model does not take images: a text stands in their place.',
    });
    expect(JSON.stringify(requests[2]?.body)).toContain('This model does not take it');
    expect(JSON.stringify(result.messages)).not.toContain(PNG);
  });
});
