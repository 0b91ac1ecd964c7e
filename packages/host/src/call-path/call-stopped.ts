import type { Outcome, ToolResult } from '@toolpost/protocol';
import { textResult } from './text-result.ts';

/**
 * Thrown by a step of the call path to end the call with an outcome, and caught in one place, in `callTool`.
 * `message` is what the model reads: it says what happened and what to do next.
 */
export class CallStopped extends Error {
  override readonly name = 'CallStopped';
  readonly outcome: Exclude<Outcome, 'completed'>;

  constructor(outcome: Exclude<Outcome, 'completed'>, message: string) {
    super(message);
    this.outcome = outcome;
  }

  toResult(): ToolResult {
    return textResult(this.message, true);
  }
}

export function cancelledBefore(toolName: string): CallStopped {
  return new CallStopped('cancelled', `The call of ${toolName} was cancelled before it ran.`);
}
