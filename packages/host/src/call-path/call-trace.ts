import type { JsonObject } from '@toolpost/protocol';
import type { RegisteredTool } from '../registry/registered-tool.ts';
import type { Repair } from './repair-arguments.ts';

/** What the steps of one call leave for the journal. */
export interface CallTrace {
  readonly startedAt: number;
  readonly startedMs: number;
  tool: RegisteredTool | undefined;
  /** The model's text as JSON text, where a step has needed it already. */
  quotedArguments: string | undefined;
  finalArguments: JsonObject | undefined;
  repairs: readonly Repair[] | undefined;
  hooks: readonly string[] | undefined;
  decision: string | undefined;
  rule: string | undefined;
  queuedMs: number;
  /** Time in which the call waited for a person. */
  waitedMs: number;
  /** What the plugin is told of the trace that the call is part of; undefined where nothing is traced. */
  readonly traceparent: string | undefined;
}

export function beginTrace(traceparent?: string): CallTrace {
  return {
    startedAt: Date.now(),
    startedMs: performance.now(),
    tool: undefined,
    quotedArguments: undefined,
    finalArguments: undefined,
    repairs: undefined,
    hooks: undefined,
    decision: undefined,
    rule: undefined,
    queuedMs: 0,
    waitedMs: 0,
    traceparent,
  };
}
