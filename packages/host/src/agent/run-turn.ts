import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { CallRecord, EventBody, ToolDefinition, TurnEndReason } from '@toolpost/protocol';
import { describeModelError, readModelError } from '../models/model-error.ts';
import { askModel } from './ask-model.ts';
import { createCallIds } from './call-ids.ts';
import { type Clock, systemClock } from './clock.ts';
import { assistantMessage, type HistoryMessage, interruptedResult, repairHistory, userMessage } from './history.ts';
import { createRepetitionWatch } from './repetition.ts';
import { type CallTool, runCalls } from './run-calls.ts';
import type { ModelCall, ModelStep } from './step-collector.ts';
import { toToolOutput } from './tool-output.ts';
import { addUsage, type TurnUsage } from './turn-usage.ts';
import { sameNames, toWireTools, type WireNames } from './wire-tools.ts';

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
  readonly systemPrompt?: string;
  /** Answers of the model in this turn; 50 when absent. */
  readonly maxSteps?: number;
  /** Called with each message as it joins the history, so that a turn that is killed is kept up to there. */
  readonly onMessage?: (message: HistoryMessage) => void;
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

interface TurnState {
  readonly turn: TurnOptions;
  readonly messages: HistoryMessage[];
  usage: TurnUsage;
}

/**
 * Runs one turn: the model answers, its calls run, it gets their results and answers again, until it calls nothing.
 * Never rejects for what a model, a provider or a tool did: the turn ends with exactly one `turn-end` or
 * `turn-error` event, and its history can be continued.
 */
export async function runTurn(turn: TurnOptions): Promise<TurnResult> {
  turn.onEvent({ type: 'turn-start', text: turn.text });
  const request = userMessage(turn.text);
  const messages = repairHistory([...turn.history, request]);
  const state: TurnState = { turn, messages, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };
  turn.onMessage?.(request);
  const ending = await runSteps(state);
  turn.onEvent(toEvent(ending));
  return { ...ending, messages: state.messages, usage: state.usage };
}

async function runSteps(state: TurnState): Promise<Ending> {
  const { turn } = state;
  if (turn.text.trim() === '') return { reason: 'error', text: 'The prompt is empty. Say what to do.' };
  const isStuck = createRepetitionWatch();
  const ask = createAsker(state);
  const maxSteps = turn.maxSteps ?? DEFAULT_MAX_STEPS;
  for (let count = 1; count <= maxSteps; count++) {
    const step = await ask();
    if (step.content.length > 0) append(state, { role: 'assistant', content: step.content });
    report(state, step);
    if (step.end.kind !== 'finished' || step.calls.length === 0) return endingOf(step, turn);
    const records = await runRound(state, step.calls);
    if (turn.abortSignal.aborted) return { reason: 'cancelled', text: step.text };
    if (isStuck(step.calls, records)) return stop(state, 'loop', describeLoop(step.calls));
  }
  return stop(state, 'max-steps', `Stopped after ${maxSteps} model steps. Ask to continue where this ended.`);
}

/** A function that asks the model with the history as it then is. */
function createAsker({ turn, messages }: TurnState): () => Promise<ModelStep> {
  const names = turn.wireNames ?? sameNames;
  const tools = toWireTools(turn.tools, names);
  const context = {
    names,
    clock: turn.clock ?? systemClock,
    onEvent: turn.onEvent,
    takeCallId: createCallIds(messages),
  };
  const system = turn.systemPrompt ? [{ role: 'system' as const, content: turn.systemPrompt.toWellFormed() }] : [];
  return () => {
    const prompt = [...system, ...messages];
    return askModel(turn.model, { prompt, abortSignal: turn.abortSignal, ...(tools.length > 0 && { tools }) }, context);
  };
}

async function runRound(state: TurnState, calls: readonly ModelCall[]): Promise<(CallRecord | undefined)[]> {
  const { callTool, onEvent, abortSignal, tools } = state.turn;
  // Names are looked up with folded case, here as in the registry.
  const serial = new Set(tools.filter((tool) => tool.concurrency === 'serial').map((tool) => tool.name.toLowerCase()));
  const isSerial = (name: string) => serial.has(name.toLowerCase());
  const records = await runCalls(calls, { callTool, onEvent, abortSignal, isSerial });
  const content = calls.map(({ id: toolCallId, wireName: toolName }, index) => {
    const record = records[index];
    if (!record) return interruptedResult({ toolCallId, toolName });
    return { type: 'tool-result' as const, toolCallId, toolName, output: toToolOutput(record) };
  });
  append(state, { role: 'tool', content });
  return records;
}

function append({ turn, messages }: TurnState, message: HistoryMessage): void {
  messages.push(message);
  turn.onMessage?.(message);
}

/** Tokens are sums within this turn, after each answer; none when the provider counts nothing. */
function report(state: TurnState, { usage, end }: ModelStep): void {
  const { onEvent } = state.turn;
  const sum = addUsage(state.usage, usage);
  if (sum) {
    state.usage = sum;
    onEvent({ type: 'usage', ...sum });
  }
  if (end.kind === 'finished' && end.reason === 'length') {
    onEvent({ type: 'warning', message: 'The answer is cut at the longest that the model gives. Ask to continue.' });
  }
}

function endingOf(step: ModelStep, turn: TurnOptions): Ending {
  if (step.end.kind === 'cancelled') return { reason: 'cancelled', text: step.text };
  if (step.end.kind === 'failed') {
    const error = readModelError(step.end.error, (turn.clock ?? systemClock).now());
    return { reason: 'error', text: describeModelError(error, turn.model) };
  }
  if (step.end.reason === 'content-filter' && step.text === '') {
    return { reason: 'error', text: "The provider's content filter stopped the answer. Say it in other words." };
  }
  return { reason: 'completed', text: step.text };
}

/** Ends the turn on the host's decision; the model reads why in its history. */
function stop(state: TurnState, reason: 'loop' | 'max-steps', text: string): Ending {
  append(state, assistantMessage(text));
  return { reason, text };
}

function describeLoop(calls: readonly ModelCall[]): string {
  const names = [...new Set(calls.map(({ name }) => name))].join(', ');
  return `Stopped: ${names} was called five times in a row with the same result. Try another way, or say what is missing.`;
}

function toEvent({ reason, text }: Ending): EventBody {
  return reason === 'error' ? { type: 'turn-error', message: text } : { type: 'turn-end', text, reason };
}
