import type { EventBody } from '@toolpost/protocol';
import { createCallIds } from './call-ids.ts';
import { systemClock } from './clock.ts';
import { joinSummary } from './compact-history.ts';
import { type HistoryMessage, repairHistory } from './history.ts';
import type { TurnOptions } from './run-turn.ts';
import { summarize } from './summarize.ts';
import type { Asking } from './turn-state.ts';
import { NO_USAGE, type TurnUsage } from './turn-usage.ts';
import { sameNames } from './wire-tools.ts';

/** Characters of transcript, as much as the model may take; what is longer is cut in its middle. */
const MAX_SPACE_CHARS = 200_000;

export interface Compaction {
  /** What the conversation is from now on; undefined when it stays as it is, and a `warning` event said why. */
  readonly messages: HistoryMessage[] | undefined;
  readonly usage: TurnUsage;
}

/** Has the model put a summary in place of a conversation that nothing is being done in. Never rejects for what it did. */
export async function compactConversation({
  model,
  history,
  onEvent,
  abortSignal,
  compaction,
  clock = systemClock,
}: Pick<TurnOptions, 'model' | 'history' | 'onEvent' | 'abortSignal' | 'compaction' | 'clock'>): Promise<Compaction> {
  const older = repairHistory(history);
  if (older.length < 2) {
    onEvent({ type: 'warning', message: 'There is nothing to summarise yet.' });
    return { messages: undefined, usage: NO_USAGE };
  }
  const refusal = await compaction?.before();
  if (refusal !== undefined) {
    const message = `A hook keeps the conversation from being summarised: ${refusal}`;
    if (!abortSignal.aborted) onEvent({ type: 'warning', message });
    return { messages: undefined, usage: NO_USAGE };
  }
  const quietly = (event: EventBody) => {
    // Its numbers are sums so far, and outside a turn only the last one counts.
    if (event.type !== 'usage') onEvent(event);
  };
  const context = { names: sameNames, clock, onEvent: quietly, takeCallId: createCallIds(older) };
  const state: Asking = { turn: { model, abortSignal, onEvent: quietly }, context, usage: NO_USAGE };
  const outcome = await summarize(state, older, MAX_SPACE_CHARS);
  const { usage } = state;
  if (usage !== NO_USAGE) onEvent({ type: 'usage', ...usage });
  if ('problem' in outcome) {
    onEvent({ type: 'warning', message: `The conversation could not be summarised: ${outcome.problem}` });
    return { messages: undefined, usage };
  }
  const message = `The conversation (${older.length} messages) was replaced by a summary that the model wrote.`;
  onEvent({ type: 'warning', message });
  await compaction?.after();
  return { messages: joinSummary(outcome.summary, { older: [], recent: [] }), usage };
}
