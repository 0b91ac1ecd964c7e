import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Session } from '@toolpost/protocol';
import type { TurnResult } from '../agent/run-turn.ts';
import type { CallTelemetry } from '../call-path/call-telemetry.ts';

/** Spans and metrics by OpenTelemetry's conventions for generative AI. */
export interface Telemetry extends CallTelemetry {
  /** Runs a turn within a span; those of its model and its calls are the children. `model` is a specification. */
  turn(about: { session: Session; model: string }, run: () => Promise<TurnResult>): Promise<TurnResult>;
  /** The same model, each answer of which is a span and is counted. */
  watch(model: LanguageModelV4): LanguageModelV4;
}

export interface TelemetryOptions {
  /** Whether spans hold arguments and results of calls: they may be anything, and traces are read by many. */
  readonly recordsContent: boolean;
  readonly redact: (text: string) => string;
}
