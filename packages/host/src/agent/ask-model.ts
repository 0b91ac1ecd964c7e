import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ModelError, readModelError, summarizeModelError } from '../models/model-error.ts';
import type { Clock } from './clock.ts';
import type { ModelStep, StepContext } from './step-collector.ts';
import { streamStep } from './stream-step.ts';

const MAX_ATTEMPTS = 4;
/** Each one may have waited for minutes. */
const MAX_SILENT_ATTEMPTS = 2;
const FIRST_DELAY_MS = 500;
/** A provider that asks for a longer wait is not waited for: the user decides. */
const MAX_DELAY_MS = 60_000;

/**
 * One answer of the model, asked for again with growing delays while the provider is busy, failing or out of reach
 * and nothing of an answer was shown yet. Each new attempt is announced by a `warning` event.
 */
export async function askModel(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions & { abortSignal: AbortSignal },
  context: StepContext & { readonly clock: Clock },
): Promise<ModelStep> {
  for (let attempt = 1; ; attempt++) {
    const step = await streamStep(model, options, context);
    if (step.end.kind !== 'failed' || step.hasOutput || attempt === MAX_ATTEMPTS) return step;
    const error = readModelError(step.end.error, context.clock.now());
    const delayMs = retryDelayMs(error, attempt);
    if (delayMs === undefined) return step;
    const wait = `Trying again in ${(delayMs / 1000).toFixed(1)} s.`;
    context.onEvent({ type: 'warning', message: `${summarizeModelError(error, model)} ${wait}` });
    await context.clock.sleep(delayMs, options.abortSignal);
  }
}

function retryDelayMs(error: ModelError, attempt: number): number | undefined {
  if (!error.isTransient || (error.isSilent && attempt >= MAX_SILENT_ATTEMPTS)) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= MAX_DELAY_MS ? error.retryAfterMs : undefined;
  // Spread out, so that many sessions that failed together do not come back together.
  return FIRST_DELAY_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
}
