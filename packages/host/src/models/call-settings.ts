import type { LanguageModelV4, LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { mapCalls } from './map-calls.ts';

/** The model with provider options added to every call; what the caller sets wins. */
export function withCallSettings(model: LanguageModelV4, settings: SharedV4ProviderOptions): LanguageModelV4 {
  return mapCalls(model, (options: LanguageModelV4CallOptions) => ({
    ...options,
    providerOptions: { ...settings, ...options.providerOptions },
  }));
}
