import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type ModelStep, StepCollector, type StepContext } from './step-collector.ts';

/**
 * Streams one answer of the model and collects it. Never rejects: an abort or a failure is the step's `end`, and the
 * text that came before it is kept.
 */
export async function streamStep(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions & { abortSignal: AbortSignal },
  context: StepContext,
): Promise<ModelStep> {
  const collector = new StepCollector(context);
  if (options.abortSignal.aborted) return collector.cancel();
  try {
    const { stream } = await untilAborted(model.doStream(options), options.abortSignal);
    await readAll(stream, options.abortSignal, (part) => collector.accept(part));
  } catch (error) {
    if (!options.abortSignal.aborted) return collector.fail(error);
  }
  return options.abortSignal.aborted ? collector.cancel() : collector.finish();
}

/** Also lets go of a provider that ignores the abort; a stream that comes too late is closed. */
async function untilAborted<T extends { stream: ReadableStream }>(
  result: PromiseLike<T>,
  signal: AbortSignal,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([result, aborted]);
  } catch (error) {
    if (signal.aborted) closeLateStream(result);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function closeLateStream(result: PromiseLike<{ stream: ReadableStream }>): void {
  Promise.resolve(result)
    .then(({ stream }) => stream.cancel())
    .catch(ignore);
}

async function readAll(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal,
  accept: (part: LanguageModelV4StreamPart) => void,
): Promise<void> {
  const reader = stream.getReader();
  const onAbort = () => void reader.cancel().catch(ignore);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      accept(value);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    reader.cancel().catch(ignore);
  }
}

function ignore(): void {}
