import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider';
import { familyOf } from '../models/schemas/provider-family.ts';
import { createCallIds } from './call-ids.ts';
import { type Clock, systemClock } from './clock.ts';
import { ContextGauge } from './context-gauge.ts';
import { type HistoryMessage, repairHistory, userMessage } from './history.ts';
import type { TurnOptions } from './run-turn.ts';
import type { StepContext } from './step-collector.ts';
import { addUsage, NO_USAGE, type TurnUsage } from './turn-usage.ts';
import { createPreviews } from './ui-preview.ts';
import { sameNames, toWireTools, type WireTools } from './wire-tools.ts';

/** What a question to the model needs, and the tokens that were counted. */
export interface Asking {
  readonly turn: Pick<TurnOptions, 'model' | 'abortSignal' | 'onEvent'>;
  readonly context: StepContext & { readonly clock: Clock };
  usage: TurnUsage;
}

/** One turn on its way: what it was given, and what has become of it so far. */
export interface TurnState extends Asking {
  readonly turn: TurnOptions;
  /** Goes with every question to the model, before the messages. */
  readonly system: HistoryMessage[];
  readonly tools: LanguageModelV4CallOptions['tools'];
  readonly toToolArguments: WireTools['toToolArguments'];
  readonly gauge: ContextGauge;
  messages: HistoryMessage[];
  /** Below so many characters it was tried to make room, and none was found. */
  exhaustedChars: number;
}

/** Repairs the history, adds what the user says, and gets the system prompt. */
export async function createTurnState(turn: TurnOptions): Promise<TurnState> {
  const request = userMessage(turn.text);
  const messages = repairHistory([...turn.history, request]);
  turn.onMessage?.(request);
  const system = (await systemPromptOf(turn)).toWellFormed();
  const names = turn.wireNames ?? sameNames;
  const { tools, warnings, toToolArguments, wrapperOf } = toWireTools(turn.tools, names, familyOf(turn.model));
  for (const message of warnings) turn.onEvent({ type: 'warning', message });
  const takeCallId = createCallIds(messages, turn.usedCallIds);
  const startPreview = createPreviews(turn.tools, wrapperOf);
  return {
    turn,
    system: system === '' ? [] : [{ role: 'system', content: system }],
    tools: tools.length > 0 ? tools : undefined,
    toToolArguments,
    context: { names, clock: turn.clock ?? systemClock, onEvent: turn.onEvent, takeCallId, startPreview },
    gauge: new ContextGauge(system.length + JSON.stringify(tools).length),
    messages,
    usage: NO_USAGE,
    exhaustedChars: 0,
  };
}

async function systemPromptOf({ systemPrompt = '' }: TurnOptions): Promise<string> {
  return typeof systemPrompt === 'string' ? systemPrompt : systemPrompt();
}

export function append(state: TurnState, message: HistoryMessage): void {
  state.messages.push(message);
  state.turn.onMessage?.(message);
}

/** Puts another history in place of the one so far. */
export function rewrite(state: TurnState, messages: HistoryMessage[]): void {
  state.messages = messages;
  state.turn.onRewrite?.(messages);
}

/** Tokens are sums within this turn, after each answer; none when the provider counts nothing. */
export function count(state: Asking, usage: LanguageModelV4Usage | undefined): void {
  const sum = addUsage(state.usage, usage);
  if (!sum) return;
  state.usage = sum;
  state.turn.onEvent({ type: 'usage', ...sum });
}
