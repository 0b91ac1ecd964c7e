import type { CallRecord } from '@toolpost/protocol';
import type { ModelCall } from './step-collector.ts';

const LIMIT = 5;

/**
 * Watches for a model that is stuck. The returned function takes each round in turn; it is true when every call of
 * the round was made, with the same result, in each of the last five rounds. Calls that were refused for their
 * arguments or their name count as the same whatever the arguments were.
 */
export function createRepetitionWatch(): (
  calls: readonly ModelCall[],
  records: readonly (CallRecord | undefined)[],
) => boolean {
  let streaks = new Map<string, number>();
  return (calls, records) => {
    const next = new Map<string, number>();
    calls.forEach((call, index) => {
      const key = signatureOf(call, records[index]);
      next.set(key, (streaks.get(key) ?? 0) + 1);
    });
    streaks = next;
    return next.size > 0 && Math.min(...next.values()) >= LIMIT;
  };
}

function signatureOf(call: ModelCall, record: CallRecord | undefined): string {
  const outcome = record?.outcome ?? 'crashed';
  if (outcome === 'invalid-input' || outcome === 'not-found') return JSON.stringify([call.name, outcome]);
  return JSON.stringify([call.name, outcome, call.arguments, record?.text]);
}
