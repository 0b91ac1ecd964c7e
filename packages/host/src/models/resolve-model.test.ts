import { HostError } from '@toolpost/protocol';
import { describe, expect, it } from 'vitest';
import { parseModelSpec } from './model-spec.ts';
import { resolveModel } from './resolve-model.ts';

const keys = { OPENAI_API_KEY: 'sk', ANTHROPIC_API_KEY: 'ak' };

describe('a model specification', () => {
  it.each([
    ['demo', { provider: 'demo' }],
    ['openai:gpt-5', { provider: 'openai', name: 'gpt-5' }],
    ['openai/gpt-5', { provider: 'openai', name: 'gpt-5' }],
    [' anthropic:claude-x@20260101 ', { provider: 'anthropic', name: 'claude-x@20260101' }],
    ['openai:ft:gpt-5:acme::id', { provider: 'openai', name: 'ft:gpt-5:acme::id' }],
    ['openai-compatible:m', { provider: 'openai-compatible', name: 'm' }],
    [
      'openai-compatible:llama3:8b@http://127.0.0.1:11434/v1/',
      { provider: 'openai-compatible', name: 'llama3:8b', url: 'http://127.0.0.1:11434/v1' },
    ],
    [
      'openai-compatible/org/model@v2@https://host.example/a/b?key=c@d',
      { provider: 'openai-compatible', name: 'org/model@v2', url: 'https://host.example/a/b?key=c@d' },
    ],
    ['openai-compatible:m@http://[::1]:8080', { provider: 'openai-compatible', name: 'm', url: 'http://[::1]:8080' }],
  ])('%s', (spec, parsed) => {
    expect(parseModelSpec(spec)).toEqual(parsed);
  });

  it.each([
    ['', /names no known model.*demo, openai:NAME/],
    ['gpt-5', /"gpt-5" names no known model/],
    ['Demo', /names no known model/],
    ['gemini:pro', /"gemini:pro" names no known model/],
    ['openai:', /lacks the model's name/],
    ['openai-compatible:@http://x', /lacks the model's name/],
    ['openai-compatible:m@http://user:secret@x/v1', /holds a user or password/],
    ['openai-compatible:m@http://', /is not an http or https address/],
  ])('is refused: "%s"', (spec, message) => {
    expect(() => parseModelSpec(spec)).toThrow(message);
    expect(() => parseModelSpec(spec)).toThrow(expect.objectContaining({ code: 'MODEL_FAILED' }));
    expect(() => parseModelSpec(spec)).not.toThrow(/secret/);
  });
});

describe('resolveModel', () => {
  it('gives the demo model without keys', async () => {
    expect((await resolveModel('demo', { environment: {} })).modelId).toBe('demo');
  });

  it.each([
    ['openai:gpt-5', 'openai.responses', 'gpt-5'],
    ['anthropic/claude', 'anthropic.messages', 'claude'],
    ['openai-compatible:llama3:8b@http://127.0.0.1:1/v1', 'openai-compatible.chat', 'llama3:8b'],
  ])('gives %s with its key', async (spec, provider, modelId) => {
    expect(await resolveModel(spec, { environment: keys })).toMatchObject({
      ...{ provider, modelId, specificationVersion: 'v4' },
    });
  });

  it.each([
    ['openai:gpt-5', 'OPENAI_API_KEY'],
    ['anthropic:claude', 'ANTHROPIC_API_KEY'],
  ])('says what to set when the key of %s is missing or blank', async (spec, variable) => {
    for (const environment of [{}, { [variable]: ' ' }]) {
      const refused = await resolveModel(spec, { environment }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(HostError);
      expect(refused).toMatchObject({ code: 'MODEL_FAILED', message: expect.stringContaining(`set ${variable}`) });
    }
  });

  it('takes the address of a compatible server from OPENAI_BASE_URL, and says so when there is none', async () => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect((await resolveModel('openai-compatible:m', { environment })).modelId).toBe('m');
    await expect(resolveModel('openai-compatible:m', { environment: {} })).rejects.toThrow(
      /has no address.*OPENAI_BASE_URL/,
    );
  });

  it('names the variable that holds a bad address', async () => {
    const environment = { ...keys, ANTHROPIC_BASE_URL: 'localhost:8080' };
    await expect(resolveModel('anthropic:c', { environment })).rejects.toThrow(
      /"localhost:8080" in ANTHROPIC_BASE_URL/,
    );
  });
});
