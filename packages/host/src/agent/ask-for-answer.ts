import { askWithRoom } from './ask-with-room.ts';
import { userMessage } from './history.ts';
import type { ModelStep } from './step-collector.ts';
import { count, type TurnState } from './turn-state.ts';

/** Asked in the very same words, a model often says the same nothing again. */
const NUDGE = userMessage(
  '[Your last answer was empty. Go on; when all is done, say in one sentence what the outcome is.]',
);

/**
 * One answer of the model; when it is empty, without a word and without a call, the one that it gives when it is asked
 * once more. A `warning` event tells of each empty one.
 */
export async function askForAnswer(state: TurnState): Promise<ModelStep> {
  const first = await askWithRoom(state);
  if (!isEmptyAnswer(first)) return first;
  count(state, first.usage);
  warn(state, 'The model gave an empty answer. It is asked once more.');
  const second = await askWithRoom(state, [NUDGE]);
  if (isEmptyAnswer(second)) warn(state, 'The model gave an empty answer again.');
  return second;
}

/** One that was cut at its limit or by a filter is told of as that. */
export function isEmptyAnswer({ end, text, calls }: ModelStep): boolean {
  return end.kind === 'finished' && isOfItsOwn(end.reason) && calls.length === 0 && text.trim() === '';
}

function isOfItsOwn(reason: string): boolean {
  return reason !== 'length' && reason !== 'content-filter';
}

function warn({ turn }: TurnState, message: string): void {
  turn.onEvent({ type: 'warning', message });
}
