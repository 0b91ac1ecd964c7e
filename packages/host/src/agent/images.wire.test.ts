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

  it('is a text on the chat completions wire', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'shot', arguments: '{}' } };
    const { result, requests } = await takePicture(
      (url) => `openai-compatible:m@${url}`,
      [
        { events: chatChunks([{ tool_calls: [call] }], 'tool_calls') },
        { events: chatChunks([{ content: 'Unseen.' }]) },
      ],
    );
    expect(result.text).toBe('Unseen.');
    const sent = JSON.stringify(requests[1]?.body);
    expect(sent).not.toContain(PNG.slice(0, 20));
    expect(sent).toContain('The screen:\\n(A image/png file was returned here.');
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
