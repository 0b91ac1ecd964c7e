import type { Outcome, ToolResult } from '@toolpost/protocol';
import type { ResultSoFar } from '../runtimes/runtime.ts';
import { textResult } from './text-result.ts';

/**
 * Thrown by a step of the call path to end the call with an outcome, and caught in one place, in `callTool`.
 * `message` is what the model reads: it says what happened and what to do next.
 */
export class CallStopped extends Error {
  override readonly name = 'CallStopped';
  readonly outcome: Exclude<Outcome, 'completed'>;
  /** What the tool had by then; undefined where it had nothing to keep. */
  readonly soFar: ResultSoFar | undefined;

  constructor(outcome: Exclude<Outcome, 'completed'>, message: string, soFar?: ResultSoFar) {
    super(message);
    this.outcome = outcome;
    this.soFar = soFar;
  }

  toResult(): ToolResult {
    if (!this.soFar) return textResult(this.message, true);
    const { text, metadata } = this.soFar;
    return { ...textResult(text === '' ? this.message : `${text}\n\n${this.message}`, true), metadata };
  }
}

export function cancelledBefore(toolName: string): CallStopped {
  return new CallStopped('cancelled', `The call of ${toolName} was cancelled before it ran.`);
}
