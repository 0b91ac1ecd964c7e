import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

/** The same model with the options of every call passed through `map` first. */
export function mapCalls(
  model: LanguageModelV4,
  map: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(map(options)),
    doStream: (options) => model.doStream(map(options)),
  };
}
