import type { LanguageModelV4 } from '@ai-sdk/provider';

/** An address that does not know a path answers with one of these. */
const NOT_THERE = new Set([404, 405, 501]);

/**
 * For an OPENAI_BASE_URL of one's own: many servers speak chat completions and not the newer responses wire. The
 * first call that finds no responses there changes over, for good.
 */
export function withChatFallback(responses: LanguageModelV4, chat: LanguageModelV4): LanguageModelV4 {
  let current = responses;
  const attempt = async <T>(call: (model: LanguageModelV4) => PromiseLike<T>): Promise<T> => {
    try {
      return await call(current);
    } catch (error) {
      if (current === chat || !isNotThere(error)) throw error;
      const answer = await call(chat);
      current = chat;
      return answer;
    }
  };
  return {
    specificationVersion: 'v4',
    provider: responses.provider,
    modelId: responses.modelId,
    supportedUrls: responses.supportedUrls,
    doGenerate: (options) => attempt((model) => model.doGenerate(options)),
    doStream: (options) => attempt((model) => model.doStream(options)),
  };
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && NOT_THERE.has(Number(error.statusCode));
}
