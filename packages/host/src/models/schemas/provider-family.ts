/**
 * Providers that take one form of JSON Schema for a tool's arguments. `json-schema` is any server that takes plain JSON
 * Schema: Ollama, llama.cpp, vLLM, MCP clients.
 */
export type ProviderFamily = 'openai' | 'anthropic' | 'gemini' | 'json-schema';

export const PROVIDER_FAMILIES: readonly ProviderFamily[] = ['openai', 'anthropic', 'gemini', 'json-schema'];

interface FamilyFacts {
  /** The most tools that one request may offer. */
  readonly maxTools: number;
  /** What the names of arguments must match. */
  readonly argumentName: RegExp | undefined;
  /** The most characters that a tool's description may have. */
  readonly maxDescription: number | undefined;
}

/**
 * OpenAI refuses a 129th tool; Anthropic refuses names of arguments beyond its pattern; Gemini documents 512 functions.
 * Some of OpenAI's models, Azure's and gateways in front of them refuse the whole request for a description above 1,024
 * characters; a newer model that would read more of it is not told apart by its address.
 */
export const FAMILY_FACTS: Readonly<Record<ProviderFamily, FamilyFacts>> = {
  openai: { maxTools: 128, argumentName: undefined, maxDescription: 1024 },
  anthropic: { maxTools: 512, argumentName: /^[a-zA-Z0-9_.-]{1,64}$/, maxDescription: undefined },
  gemini: { maxTools: 512, argumentName: undefined, maxDescription: undefined },
  'json-schema': { maxTools: 128, argumentName: undefined, maxDescription: 1024 },
};

/** The family of a model by its provider's name in the AI SDK (`openai.responses`) and its own name. */
export function familyOf({ provider, modelId }: { provider: string; modelId: string }): ProviderFamily {
  // OpenAI-compatible addresses in front of Gemini take what Gemini takes.
  if (/^(?:google|gemini)/.test(provider) || /(?:^|\/)gemini-/.test(modelId)) return 'gemini';
  if (provider.startsWith('anthropic')) return 'anthropic';
  return provider.startsWith('openai.') || provider === 'openai' ? 'openai' : 'json-schema';
}
