import type { CallRecord } from '@toolpost/protocol';
import type { ModelCall } from './step-collector.ts';

const LIMIT = 5;
const REMEDY = 'Try another way, or say what is missing.';

/** The result of a call that was stopped. */
export const NOT_RUN = `Stopped: this call was made five times in a row with the same result, so it was not run again. ${REMEDY}`;

/**
 * Watches for a model that is stuck: one whose rounds make the same calls, with the same results, five times in a row.
 * Calls that were refused for their arguments or their name count as the same whatever the arguments were.
 */
export interface RepetitionWatch {
  /** Whether a round makes again, to the letter, what the model was told to stop: it must not run. */
  isStopped(calls: readonly ModelCall[]): boolean;
  /** Takes a round that ran: `warn` at its fifth repetition, `stop` when the model goes on with it all the same. */
  take(calls: readonly ModelCall[], records: readonly (CallRecord | undefined)[]): 'go-on' | 'warn' | 'stop';
}

export function createRepetitionWatch(): RepetitionWatch {
  let streaks = new Map<string, number>();
  let stopped: ReadonlySet<string> | undefined;
  return {
    isStopped: (calls) => stopped !== undefined && calls.every((call) => stopped?.has(literal(call))),
    take(calls, records) {
      const next = new Map<string, number>();
      calls.forEach((call, index) => {
        const key = signatureOf(call, records[index]);
        next.set(key, (streaks.get(key) ?? 0) + 1);
      });
      streaks = next;
      const streak = Math.min(...next.values());
      stopped = streak >= LIMIT ? new Set(calls.map(literal)) : undefined;
      if (streak < LIMIT) return 'go-on';
      return streak === LIMIT ? 'warn' : 'stop';
    },
  };
}

function literal(call: ModelCall): string {
  return JSON.stringify([call.name, call.arguments]);
}

function signatureOf(call: ModelCall, record: CallRecord | undefined): string {
  const outcome = record?.outcome ?? 'crashed';
  if (outcome === 'invalid-input' || outcome === 'not-found') return JSON.stringify([call.name, outcome]);
  return JSON.stringify([call.name, outcome, call.arguments, record?.text]);
}

/** Goes to the model with the result of the fifth such call. */
export function loopWarning(calls: readonly ModelCall[]): string {
  return `[Stopped: ${namesOf(calls)} was called five times in a row with the same result. The same call is not run again. ${REMEDY}]`;
}

/** Why a turn ended whose model went on all the same. */
export function loopReason(calls: readonly ModelCall[]): string {
  return `Stopped: ${namesOf(calls)} was called again and again with the same result. ${REMEDY}`;
}

function namesOf(calls: readonly ModelCall[]): string {
  return [...new Set(calls.map(({ name }) => name))].join(', ');
}
