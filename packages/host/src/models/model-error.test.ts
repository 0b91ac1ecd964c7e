import { describe, expect, it } from 'vitest';
import { describeModelError, readModelError } from './model-error.ts';

const model = { provider: 'openai.responses', modelId: 'm' };
const read = (error: object, message = 'no') => readModelError(Object.assign(new Error(message), error), 0);

describe('an error that says that the request is too long', () => {
  it.each<[name: string, error: object, message: string]>([
    [
      "OpenAI's by its code",
      { statusCode: 400, data: {}, responseBody: '{"error":{"code":"context_length_exceeded"}}' },
      'no',
    ],
    ["OpenAI's by its sentence", { statusCode: 400 }, "This model's maximum context length is 8192 tokens."],
    [
      "OpenAI's inside a stream",
      { type: 'error', error: { code: 'context_length_exceeded', message: 'Too much.' } },
      'no',
    ],
    ['that of Responses', { statusCode: 400 }, 'Your input exceeds the context window of this model.'],
    ["Anthropic's", { statusCode: 400 }, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [
      "Anthropic's with its answer's limit",
      { statusCode: 400 },
      'input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000',
    ],
    ["Anthropic's by its size", { statusCode: 413 }, 'Request exceeds the maximum size'],
    ["llama.cpp's", { statusCode: 400 }, 'the request exceeds the available context size, try increasing it'],
    ["llama.cpp's as a fault of the server", { statusCode: 500 }, 'the request exceeds the available context size.'],
  ])('%s', (_name, error, message) => {
    const found = read(error, message);
    expect(found).toMatchObject({ isTooLong: true, isTransient: false, isImageRefused: false });
    expect(describeModelError(found, model)).toContain('Start a new session');
  });

  it.each<[error: object, message: string]>([
    [{ statusCode: 429 }, 'Request too large on tokens per min; reduce the length, maximum context length'],
    [{ statusCode: 400 }, 'Invalid schema for function: in context'],
    [{ statusCode: 500 }, 'The server had an error'],
  ])('is not any other: %j %s', (error, message) => {
    expect(read(error, message).isTooLong).toBe(false);
  });
});

it('tells a refused image from other refusals', () => {
  const message = 'Invalid content type. image_url is only supported by certain models. This model has no image input.';
  expect(read({ statusCode: 400 }, message).isImageRefused).toBe(true);
  expect(read({ statusCode: 400 }, 'The tool has no description.').isImageRefused).toBe(false);
  expect(read({ statusCode: 500 }, 'image service down').isImageRefused).toBe(false);
});
