import { joinSummary, splitHistory } from './compact-history.ts';
import type { HistoryMessage } from './history.ts';
import { shrinkOldResults } from './shrink-results.ts';
import { summarize } from './summarize.ts';
import { rewrite, type TurnState } from './turn-state.ts';

/** Hears of summaries. */
export interface CompactionWatch {
  /** Why the conversation must not be summarised. */
  before(): Promise<string | undefined>;
  after(): Promise<void>;
}

/** What saves less than this is not worth another question to the model. */
const WORTHWHILE = 0.9;
const RECENT_SHARE = 0.25;
const TRANSCRIPT_SHARE = 0.5;

/**
 * Makes a history shorter that is too long for the model: shrinks old large results where that helps, else puts a
 * summary in place of the older part. A `warning` event says which. False when no room could be made.
 */
export async function makeRoom(state: TurnState): Promise<boolean> {
  return shrink(state) || (await compact(state));
}

function shrink(state: TurnState): boolean {
  const { messages, turn } = state;
  const shrunk = shrinkOldResults(messages, turn.keepText);
  if (!isWorthwhile(state, shrunk.messages)) return false;
  rewrite(state, shrunk.messages);
  const results = shrunk.count === 1 ? 'An old result was' : `${shrunk.count} old results were`;
  warn(state, `${results} shortened, because the conversation is too long for the model.`);
  return true;
}

async function compact(state: TurnState): Promise<boolean> {
  const { messages, gauge } = state;
  const size = gauge.charsOf(messages);
  const parts = splitHistory(messages, size * RECENT_SHARE, (some) => gauge.charsOf(some));
  // A single message is what the user has just said.
  if (parts.older.length < 2) return false;
  const refusal = await state.turn.compaction?.before();
  if (state.turn.abortSignal.aborted) return false;
  if (refusal !== undefined) {
    warn(state, `The conversation is too long for the model, and a hook keeps it from being summarised: ${refusal}`);
    return false;
  }
  const outcome = await summarize(state, parts.older, size * TRANSCRIPT_SHARE);
  if (state.turn.abortSignal.aborted) return false;
  if ('problem' in outcome) {
    warn(state, `The conversation is too long for the model and could not be summarised: ${outcome.problem}`);
    return false;
  }
  const shorter = joinSummary(outcome.summary, parts);
  if (!isWorthwhile(state, shorter)) return false;
  rewrite(state, shorter);
  const what = `its older part (${parts.older.length} messages) was replaced by a summary that the model wrote`;
  warn(state, `The conversation is too long for the model: ${what}.`);
  await state.turn.compaction?.after();
  return true;
}

function isWorthwhile({ gauge, messages }: TurnState, shorter: readonly HistoryMessage[]): boolean {
  return gauge.charsOf(shorter) < gauge.charsOf(messages) * WORTHWHILE;
}

function warn({ turn }: TurnState, message: string): void {
  turn.onEvent({ type: 'warning', message });
}
