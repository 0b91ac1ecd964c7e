import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { EventBody, ToolDefinition, TurnEndReason } from '@toolpost/protocol';
import { describeModelError, readModelError } from '../models/model-error.ts';
import { askForAnswer, isEmptyAnswer } from './ask-for-answer.ts';
import { warnOfLittleRoom } from './ask-with-room.ts';
import { type Clock, systemClock } from './clock.ts';
import { assistantMessage, type HistoryMessage, repairHistory, userMessage } from './history.ts';
import type { CompactionWatch } from './make-room.ts';
import { createRepetitionWatch, loopReason } from './repetition.ts';
import type { CallTool } from './run-calls.ts';
import { runRound } from './run-round.ts';
import type { KeepText } from './shrink-results.ts';
import type { ModelStep } from './step-collector.ts';
import { append, count, createTurnState, type TurnState } from './turn-state.ts';
import { NO_USAGE, type TurnUsage } from './turn-usage.ts';
import type { WireNames } from './wire-tools.ts';

const DEFAULT_MAX_STEPS = 50;

/** What one turn needs: a model, the tools it is offered and a way to call them, and nothing else of the host. */
export interface TurnOptions {
  readonly model: LanguageModelV4;
  /** The conversation so far, in any state: it is repaired before it is sent. */
  readonly history: readonly HistoryMessage[];
  /** What the user says. */
  readonly text: string;
  /** The session's snapshot; `callTool` runs against the same one. */
  readonly tools: readonly ToolDefinition[];
  readonly callTool: CallTool;
  /** Gets the events of design section 7, in order; the caller numbers and stores them. */
  readonly onEvent: (event: EventBody) => void;
  readonly abortSignal: AbortSignal;
  /** Needed when a tool's name does not match `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly wireNames?: WireNames;
  /** A function is called once the turn has started. */
  readonly systemPrompt?: string | (() => Promise<string>);
  /** Answers of the model in this turn; 50 when absent. */
  readonly maxSteps?: number;
  /** Called with each message as it joins the history, so that a turn that is killed is kept up to there. */
  readonly onMessage?: (message: HistoryMessage) => void;
  /** Called with the whole history when an earlier part of it was changed, to make room in the model's context. */
  readonly onRewrite?: (messages: readonly HistoryMessage[]) => void;
  /** What the model's context takes; 200,000 when absent. The provider's own word counts before it. */
  readonly contextTokens?: number | undefined;
  /** What came meanwhile for the model to read, since this was last asked; absent where nothing can. */
  readonly takeNotes?: () => readonly string[];
  /** Ids of calls that the history has no longer, where clients still show them. */
  readonly usedCallIds?: (() => Iterable<string>) | undefined;
  /** Asked when the turn has started: why the model must not get what the user says, which the turn then ends with. */
  readonly admit?: () => Promise<string | undefined>;
  /** Who has a say where the conversation is summarised; absent where nobody has. */
  readonly compaction?: CompactionWatch;
  /** Keeps the text of a result that is shortened in the history; absent, it is gone. */
  readonly keepText?: KeepText;
  readonly clock?: Clock;
}

export interface TurnResult {
  readonly reason: TurnEndReason | 'error';
  /** The model's last answer, or why the turn stopped. */
  readonly text: string;
  /** The whole conversation, valid for every provider: the next turn's `history`. */
  readonly messages: HistoryMessage[];
  readonly usage: TurnUsage;
}

type Ending = Pick<TurnResult, 'reason' | 'text'>;

/**
 * Runs one turn: the model answers, its calls run, it gets their results and answers again, until it calls nothing.
 * Never rejects for what a model, a provider or a tool did: the turn ends with exactly one `turn-end` or
 * `turn-error` event, and its history can be continued.
 */
export async function runTurn(turn: TurnOptions): Promise<TurnResult> {
  turn.onEvent({ type: 'turn-start', text: turn.text });
  const refusal = await turn.admit?.();
  if (refusal !== undefined) return refuse(turn, refusal);
  const state = await createTurnState(turn);
  const ending = await runSteps(state);
  turn.onEvent(toEvent(ending));
  return { ...ending, messages: state.messages, usage: state.usage };
}

/** What was refused is not in the history: the model never gets it. */
function refuse(turn: TurnOptions, refusal: string): TurnResult {
  const ending: Ending = turn.abortSignal.aborted
    ? { reason: 'cancelled', text: '' }
    : { reason: 'denied', text: refusal };
  // Clients show what was streamed, and of an end its kind alone.
  if (ending.reason === 'denied') turn.onEvent({ type: 'warning', message: refusal });
  turn.onEvent(toEvent(ending));
  return { ...ending, messages: repairHistory(turn.history), usage: NO_USAGE };
}

async function runSteps(state: TurnState): Promise<Ending> {
  const { turn } = state;
  if (turn.text.trim() === '') return { reason: 'error', text: 'The prompt is empty. Say what to do.' };
  warnOfLittleRoom(state);
  const repetition = createRepetitionWatch();
  const maxSteps = turn.maxSteps ?? DEFAULT_MAX_STEPS;
  for (let step = 1; step <= maxSteps; step++) {
    const answer = await askForAnswer(state);
    if (answer.content.length > 0) append(state, { role: 'assistant', content: answer.content });
    report(state, answer);
    if (answer.end.kind === 'finished' && answer.calls.length === 0 && appendNotes(state)) continue;
    if (answer.end.kind !== 'finished' || answer.calls.length === 0) return endingOf(answer, turn, step);
    const round = await runRound(state, answer.calls, repetition);
    append(state, round.message);
    if (turn.abortSignal.aborted) return { reason: 'cancelled', text: answer.text };
    if (round.isStuck) return stop(state, 'loop', loopReason(answer.calls));
    appendNotes(state);
  }
  return stop(
    state,
    'max-steps',
    `Stopped after ${maxSteps} model steps. Ask to continue where this ended; "maxSteps" in the configuration allows more.`,
  );
}

/** The model reads them before it goes on. Returns whether there were any. */
function appendNotes(state: TurnState): boolean {
  const notes = state.turn.takeNotes?.() ?? [];
  if (notes.length > 0) append(state, userMessage(notes.join('\n\n')));
  return notes.length > 0;
}

function report(state: TurnState, { usage, end, text }: ModelStep): void {
  count(state, usage);
  if (end.kind === 'finished' && end.reason === 'length') {
    const message = 'The answer is cut at the longest that the model gives. Ask to continue.';
    state.turn.onEvent({ type: 'warning', message });
  }
  if (end.kind === 'finished' && end.reason === 'content-filter' && text !== '') {
    const message = "The provider's content filter cut the answer: what is there may be incomplete.";
    state.turn.onEvent({ type: 'warning', message });
  }
}

function endingOf(step: ModelStep, turn: TurnOptions, steps: number): Ending {
  if (step.end.kind === 'cancelled') return { reason: 'cancelled', text: step.text };
  if (step.end.kind === 'failed') {
    const error = readModelError(step.end.error, (turn.clock ?? systemClock).now());
    return { reason: 'error', text: describeModelError(error, turn.model) };
  }
  if (step.end.reason === 'content-filter' && step.text === '') {
    return { reason: 'error', text: "The provider's content filter stopped the answer. Say it in other words." };
  }
  // After calls, nothing more to say is an end like another; as the answer to the prompt it is none.
  if (isEmptyAnswer(step) && steps === 1) return { reason: 'error', text: noAnswer(turn.model) };
  return { reason: 'completed', text: step.text };
}

function noAnswer({ modelId, provider }: LanguageModelV4): string {
  return `The model ${modelId} (${provider}) answered with nothing, twice. Say it in other words, or choose another model with --model.`;
}

/** Ends the turn on the host's decision; the model reads why in its history. */
function stop(state: TurnState, reason: 'loop' | 'max-steps', text: string): Ending {
  append(state, assistantMessage(text));
  return { reason, text };
}

function toEvent({ reason, text }: Ending): EventBody {
  return reason === 'error' ? { type: 'turn-error', message: text } : { type: 'turn-end', text, reason };
}
