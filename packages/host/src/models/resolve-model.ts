import type { LanguageModelV4 } from '@ai-sdk/provider';
import { HostError } from '@toolpost/protocol';
import { withCallSettings } from './call-settings.ts';
import { withChatFallback } from './chat-fallback.ts';
import { DEFAULT_MODEL_IDLE_MS, fetchWithIdleLimit } from './idle-limit.ts';
import { type ModelSpec, parseBaseUrl, parseModelSpec } from './model-spec.ts';
import { withPromptCaching } from './prompt-caching.ts';
import { showImages } from './show-images.ts';

/** A model of the AI SDK's provider interface: what the agent needs of a provider. */
export type LanguageModel = LanguageModelV4;

export type ModelEnvironment = Readonly<Record<string, string | undefined>>;

export interface ModelOptions {
  readonly environment: ModelEnvironment;
  /** How long the provider may send no byte, in ms; 4 minutes when absent. */
  readonly idleMs?: number | undefined;
}

interface Connection {
  readonly environment: ModelEnvironment;
  readonly fetch: typeof fetch;
}

/**
 * Turns a model specification (design section 6) into a model. Keys and addresses come from `OPENAI_API_KEY`,
 * `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY` and `ANTHROPIC_BASE_URL` of `environment`; a provider's package is loaded
 * only here, when it is the one in use.
 * @throws HostError MODEL_FAILED: an unknown specification, a bad address or a missing key, and what to set.
 */
export async function resolveModel(
  spec: string,
  { environment, idleMs = DEFAULT_MODEL_IDLE_MS }: ModelOptions,
): Promise<LanguageModel> {
  const parsed = parseModelSpec(spec);
  const connection = { environment, fetch: fetchWithIdleLimit(idleMs) };
  switch (parsed.provider) {
    case 'demo':
      return (await import('./demo/demo-model.ts')).createDemoModel();
    case 'openai':
      return openAiModel(parsed.name, connection);
    case 'anthropic':
      return anthropicModel(parsed.name, connection);
    case 'openai-compatible':
      return openAiCompatibleModel(parsed, connection);
  }
}

async function openAiModel(name: string, { environment, fetch }: Connection): Promise<LanguageModel> {
  const apiKey = requireKey('OPENAI_API_KEY', { spec: `openai:${name}`, environment });
  const baseURL = addressFrom('OPENAI_BASE_URL', environment) ?? 'https://api.openai.com/v1';
  const { createOpenAI } = await import('@ai-sdk/openai');
  const openai = createOpenAI({ apiKey, baseURL, fetch });
  // Nothing is kept on the provider's side: the history that is sent is the whole conversation.
  const responses = withCallSettings(openai.responses(name), { openai: { store: false } });
  return environment.OPENAI_BASE_URL ? withChatFallback(responses, showImages(openai.chat(name))) : responses;
}

async function anthropicModel(name: string, { environment, fetch }: Connection): Promise<LanguageModel> {
  const apiKey = requireKey('ANTHROPIC_API_KEY', { spec: `anthropic:${name}`, environment });
  const address = addressFrom('ANTHROPIC_BASE_URL', environment) ?? 'https://api.anthropic.com';
  // Anthropic's own clients write the address without the version, the AI SDK with it: both are accepted.
  const baseURL = /\/v\d+$/.test(address) ? address : `${address}/v1`;
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return withPromptCaching(createAnthropic({ apiKey, baseURL, fetch })(name));
}

async function openAiCompatibleModel(
  { name, url }: Extract<ModelSpec, { provider: 'openai-compatible' }>,
  { environment, fetch }: Connection,
): Promise<LanguageModel> {
  const baseURL = url ?? addressFrom('OPENAI_BASE_URL', environment);
  if (baseURL === undefined) {
    throw new HostError(
      'MODEL_FAILED',
      `openai-compatible:${name} has no address. Write it behind the name, as in openai-compatible:${name}@http://127.0.0.1:11434/v1, or set OPENAI_BASE_URL.`,
    );
  }
  const apiKey = environment.OPENAI_API_KEY;
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    includeUsage: true,
    fetch,
    ...(apiKey && { apiKey }),
  });
  return showImages(provider.chatModel(name));
}

function requireKey(variable: string, of: { spec: string; environment: ModelEnvironment }): string {
  const key = of.environment[variable]?.trim();
  if (key) return key;
  throw new HostError(
    'MODEL_FAILED',
    `${of.spec} needs a key: set ${variable}, or use --model demo, which needs none.`,
  );
}

function addressFrom(variable: string, environment: ModelEnvironment): string | undefined {
  const text = environment[variable]?.trim();
  return text ? parseBaseUrl(text, variable) : undefined;
}
