import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider';
import { mapCalls } from './map-calls.ts';

const cacheControl = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/**
 * Anthropic caches a prompt only up to the places that are marked. The system prompt (with the tools before it) and
 * the last message are, so that each step of a turn reads what the step before it has written.
 */
export function withPromptCaching(model: LanguageModelV4): LanguageModelV4 {
  return mapCalls(model, (options) => ({
    ...options,
    prompt: options.prompt.map((message, index, all) =>
      message.role === 'system' || index === all.length - 1 ? mark(message) : message,
    ),
  }));
}

function mark(message: LanguageModelV4Message): LanguageModelV4Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...cacheControl } };
}
