import type { EventBody } from '@toolpost/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../sessions/session-store.ts';
import { addEntry } from './merge-entries.ts';

const ids = fc.constantFrom('a', 'b');
const text = fc.string({ maxLength: 5 });
const body: fc.Arbitrary<EventBody> = fc.oneof(
  fc.record({ type: fc.constantFrom('text-delta' as const, 'reasoning-delta' as const), text }),
  fc.record({ type: fc.constant('tool-input-delta' as const), toolCallId: ids, name: fc.constant('t'), text }),
  fc.record({
    type: fc.constant('tool-output-delta' as const),
    toolCallId: ids,
    stream: fc.constantFrom('stdout' as const, 'stderr' as const),
    text,
  }),
  fc.record({ type: fc.constant('warning' as const), message: text }),
);

/** Which text an event goes on with; of its own for what is no delta. */
const placeOf = (event: EventBody, index: number) =>
  'text' in event ? JSON.stringify({ ...event, text: '' }) : `${index}`;

function merged(bodies: readonly EventBody[]): EventBody[] {
  const entries: LogEntry[] = [];
  for (const one of bodies) addEntry(entries, { type: 'event', body: one, at: 1 });
  return entries.flatMap((entry) => (entry.type === 'event' ? [entry.body] : []));
}

describe('deltas that wait to be stored', () => {
  it('become one where they go on with each other, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.array(body), (bodies) => {
        const expected: EventBody[] = [];
        bodies.forEach((one, index) => {
          const last = expected.at(-1);
          const goesOn = last && 'text' in last && 'text' in one && placeOf(last, 0) === placeOf(one, index);
          if (goesOn) expected[expected.length - 1] = { ...last, text: last.text + one.text };
          else expected.push(one);
        });
        expect(merged(bodies)).toEqual(expected);
      }),
    );
  });

  it('do not become larger than what a client takes in one piece', () => {
    const piece: EventBody = { type: 'text-delta', text: 'x'.repeat(40_000) };
    expect(merged([piece, piece, piece])).toEqual([piece, piece, piece]);
  });

  it('are not merged over a message that stands between them', () => {
    const entries: LogEntry[] = [];
    const delta: LogEntry = { type: 'event', body: { type: 'text-delta', text: 'a' }, at: 1 };
    addEntry(entries, delta);
    addEntry(entries, { type: 'message', message: { role: 'user', content: [] } });
    addEntry(entries, delta);
    expect(entries).toHaveLength(3);
  });
});
