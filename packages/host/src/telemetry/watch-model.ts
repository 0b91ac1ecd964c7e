import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Attributes, Span } from '@opentelemetry/api';
import { fail, type Watching } from './watching.ts';

/** How an answer of a model ended, as far as its stream says. */
interface Answer {
  usage?: LanguageModelV4Usage;
  finishReason?: string;
  id?: string;
  model?: string;
  hasFailed: boolean;
}

/** The same model; each answer is a span `chat MODEL`, from the question to the end of its stream. */
export function watchModel(watching: Watching, model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const watch = beginAnswer(watching, model);
      try {
        const result = await model.doGenerate(options);
        watch.end({ usage: result.usage, finishReason: result.finishReason.unified, hasFailed: false });
        return result;
      } catch (error) {
        watch.end({ hasFailed: true });
        throw error;
      }
    },
    async doStream(options) {
      const watch = beginAnswer(watching, model);
      try {
        const result = await model.doStream(options);
        return { ...result, stream: watchStream(result.stream, watch.end) };
      } catch (error) {
        watch.end({ hasFailed: true });
        throw error;
      }
    },
  };
}

function beginAnswer({ api, tracer, instruments }: Watching, { provider, modelId }: LanguageModelV4) {
  const startedMs = performance.now();
  const attributes = {
    'gen_ai.operation.name': 'chat',
    // `openai.chat` and `openai.responses` are the same provider.
    'gen_ai.provider.name': provider.split('.')[0] ?? provider,
    'gen_ai.request.model': modelId,
  };
  const span = tracer.startSpan(`chat ${modelId}`, { kind: api.SpanKind.CLIENT, attributes });
  let isOpen = true;
  const end = (answer: Answer) => {
    if (!isOpen) return;
    isOpen = false;
    describe(span, answer);
    if (answer.hasFailed) fail(api, span, 'error');
    span.end();
    const failed = answer.hasFailed && { 'error.type': 'error' };
    instruments.took(performance.now() - startedMs, { ...attributes, ...failed });
    const { inputTokens, outputTokens } = answer.usage ?? {};
    if (inputTokens?.total !== undefined) instruments.countTokens('input', inputTokens.total, attributes);
    if (outputTokens?.total !== undefined) instruments.countTokens('output', outputTokens.total, attributes);
  };
  return { end };
}

function describe(span: Span, { usage, finishReason, id, model }: Answer): void {
  const known: Attributes = {
    'gen_ai.response.id': id,
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': finishReason === undefined ? undefined : [finishReason],
    'gen_ai.usage.input_tokens': usage?.inputTokens.total,
    'gen_ai.usage.output_tokens': usage?.outputTokens.total,
  };
  span.setAttributes(known);
}

/** The same parts at the same pace; `onEnd` hears of the end once, also when the reader goes away. */
function watchStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onEnd: (answer: Answer) => void,
): ReadableStream<LanguageModelV4StreamPart> {
  const answer: Answer = { hasFailed: false };
  const reader = stream.getReader();
  return new ReadableStream<LanguageModelV4StreamPart>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (value) note(value, answer);
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          answer.hasFailed = true;
          controller.error(error);
        }
        onEnd(answer);
      },
      cancel(reason) {
        onEnd(answer);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function note(part: LanguageModelV4StreamPart, answer: Answer): void {
  if (part.type === 'finish') {
    answer.usage = part.usage;
    answer.finishReason = part.finishReason.unified;
  } else if (part.type === 'response-metadata') {
    if (part.id !== undefined) answer.id = part.id;
    if (part.modelId !== undefined) answer.model = part.modelId;
  } else if (part.type === 'error') answer.hasFailed = true;
}
