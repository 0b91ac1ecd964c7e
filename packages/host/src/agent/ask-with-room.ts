import { withoutFiles } from '../models/describe-files.ts';
import { type ModelError, readModelError } from '../models/model-error.ts';
import { askModel } from './ask-model.ts';
import type { HistoryMessage } from './history.ts';
import { makeRoom } from './make-room.ts';
import type { TurnOptions } from './run-turn.ts';
import type { ModelStep } from './step-collector.ts';
import { rewrite, type TurnState } from './turn-state.ts';

/** Providers take between 128,000 and a million tokens. The answer needs its share of them. */
const DEFAULT_CONTEXT_TOKENS = 200_000;
const USABLE_SHARE = 0.8;
const CROWDED_SHARE = 0.6;
const GROWTH = 2;

/**
 * One answer of the model to the history as it is. Room is made before, when the history is estimated to be too long,
 * and each time that the provider says it is. A model that refuses images gets a text in their place. `reminder` goes
 * behind the history, this once.
 */
export async function askWithRoom(state: TurnState, reminder: readonly HistoryMessage[] = []): Promise<ModelStep> {
  await makeRoomInTime(state);
  for (;;) {
    const step = await ask(state, reminder);
    const error = errorOf(step, state);
    if (!error) return step;
    if (!(await mend(state, error))) return state.turn.abortSignal.aborted ? cancelled(step) : step;
  }
}

/** A cancel while room was made counts before the refusal that it was made for. */
function cancelled(step: ModelStep): ModelStep {
  return { ...step, end: { kind: 'cancelled' } };
}

async function ask(state: TurnState, reminder: readonly HistoryMessage[]): Promise<ModelStep> {
  const { turn, system, tools, messages, context, gauge } = state;
  const prompt = [...system, ...messages, ...reminder];
  const step = await askModel(turn.model, { prompt, abortSignal: turn.abortSignal, ...(tools && { tools }) }, context);
  gauge.learn(messages, step.usage);
  return step;
}

/** Where none is found, it is looked for again only when the history has grown: each look may cost a summary. */
async function makeRoomInTime(state: TurnState): Promise<void> {
  while (isTight(state)) {
    if (await makeRoom(state)) continue;
    state.exhaustedChars = state.gauge.charsOf(state.messages) * GROWTH;
    return;
  }
}

function isTight({ turn, gauge, messages, exhaustedChars }: TurnState): boolean {
  return gauge.tokensOf(messages) > usableTokens(turn) && gauge.charsOf(messages) >= exhaustedChars;
}

/** Says so when the system prompt and the tools leave little of the context for the conversation. */
export function warnOfLittleRoom({ turn, gauge }: TurnState): void {
  const taken = gauge.tokensOf([]);
  if (taken <= usableTokens(turn) * CROWDED_SHARE) return;
  const context = turn.contextTokens ?? DEFAULT_CONTEXT_TOKENS;
  const message = `the system prompt and the tools take about ${taken} of the ${context} tokens of the model's context. Offer fewer tools ("maxTools" in the configuration), or give the model a larger context.`;
  turn.onEvent({ type: 'warning', message });
}

function usableTokens({ contextTokens = DEFAULT_CONTEXT_TOKENS }: TurnOptions): number {
  return contextTokens * USABLE_SHARE;
}

/** Why the provider refused the whole question; what broke in the middle of an answer is not asked again. */
function errorOf({ end, hasOutput }: ModelStep, { context }: TurnState): ModelError | undefined {
  return end.kind === 'failed' && !hasOutput ? readModelError(end.error, context.clock.now()) : undefined;
}

/** Changes the history so that it may be taken. False when nothing is left to change. */
async function mend(state: TurnState, error: ModelError): Promise<boolean> {
  if (error.isTooLong) return makeRoom(state);
  return error.isImageRefused && describeImages(state);
}

function describeImages(state: TurnState): boolean {
  const why = 'This model does not take it, so you cannot see it.';
  const messages = state.messages.map((message) => withoutFiles(message, why));
  if (messages.every((message, index) => message === state.messages[index])) return false;
  rewrite(state, messages);
  state.turn.onEvent({ type: 'warning', message: 'The model does not take images: a text stands in their place.' });
  return true;
}
