import type { EventBody, ToolpostEvent } from '@toolpost/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallEntry } from '../src/session/entries.ts';
import { createSessionLog } from '../src/session/session-log.ts';

const record = (id: string, name: string) => ({
  ...{ id, name, plugin: 'p', outcome: 'completed' as const, isError: false },
  ...{ content: [], text: `result of ${id}`, durationMs: 1 },
});

function numbered(bodies: readonly EventBody[]): ToolpostEvent[] {
  return bodies.map((body, index) => ({ ...body, sessionId: 's', seq: index + 1, at: 1000 + index }));
}

function viewOf(events: readonly ToolpostEvent[]) {
  const log = createSessionLog();
  for (const event of events) log.take(event);
  return log.view();
}

function callsIn(bodies: readonly EventBody[]): CallEntry[] {
  return viewOf(numbered(bodies)).entries.filter((entry): entry is CallEntry => entry.kind === 'call');
}

const start = (toolCallId: string, name = 'tool'): EventBody => ({
  ...{ type: 'tool-call-start', toolCallId, name, plugin: 'p', arguments: '{}' },
});
const end = (toolCallId: string, name = 'tool'): EventBody => ({
  ...{ type: 'tool-call-end', toolCallId, name, outcome: 'completed', result: record(toolCallId, name) },
});
const output = (toolCallId: string, text: string): EventBody => ({
  ...{ type: 'tool-output-delta', toolCallId, stream: 'stdout', text },
});

const TURN: readonly EventBody[] = [
  { type: 'turn-start', text: 'go', turnId: 't' },
  { type: 'text-delta', text: 'I ' },
  { type: 'text-delta', text: 'begin.' },
  { type: 'tool-input-delta', toolCallId: 'a', name: 'tool', text: '{' },
  { type: 'tool-input-delta', toolCallId: 'b', name: 'tool', text: '{}' },
  { type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  start('a'),
  start('b'),
  output('b', 'of b'),
  output('a', 'of a'),
  end('b'),
  end('a'),
  { type: 'text-delta', text: 'Done.' },
  { type: 'turn-end', text: 'Done.', reason: 'completed' },
];

test('calls of one name that run at once are never mixed', () => {
  const calls = callsIn(TURN);
  expect(calls.map((call) => [call.toolCallId, call.output.pieces[0]?.text, call.record?.text])).toEqual([
    ['a', 'of a', 'result of a'],
    ['b', 'of b', 'result of b'],
  ]);
});

test('a call is written, queued, running and done, in this order', () => {
  const states = TURN.map((_, index) => callsIn(TURN.slice(0, index + 1))[0]?.state);
  expect([...new Set(states)]).toEqual([undefined, 'writing', 'queued', 'running', 'completed']);
});

test('an id that a model uses again is another call', () => {
  const calls = callsIn([...TURN, { type: 'turn-start', text: 'again' }, start('a', 'other'), end('a', 'other')]);
  expect(calls.map(({ name }) => name)).toEqual(['tool', 'tool', 'other']);
});

test('what a turn leaves open is cancelled with it, and a question is asked no more', () => {
  const question = { approvalId: 'q', toolCallId: 'a', plugin: 'p', name: 'tool', arguments: '{}', reason: 'why' };
  const open = numbered([...TURN.slice(0, 7), { type: 'approval-request', ...question }]);
  expect(viewOf(open).asking).toHaveLength(1);
  const ended = viewOf([...open, { type: 'turn-error', message: 'gone', sessionId: 's', seq: 9, at: 1 }]);
  expect(ended).toMatchObject({ asking: [], isRunning: false });
  expect(ended.entries.filter(({ kind }) => kind === 'call')).toMatchObject([
    { state: 'cancelled' },
    { state: 'cancelled' },
  ]);
});

test('events that come again, as after a cut, change nothing, whatever is repeated', () => {
  const events = numbered(TURN);
  const expected = viewOf(events);
  fc.assert(
    fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 10 }), (cuts) => {
      const log = createSessionLog();
      let reached = 0;
      for (const cut of cuts) {
        for (const event of events.slice(Math.min(cut, reached), cut + 1)) log.take(event);
        reached = Math.max(reached, cut + 1);
      }
      for (const event of events) log.take(event);
      expect(log.view()).toEqual(expected);
    }),
  );
});

test('only what an event is about is another object afterwards', () => {
  const log = createSessionLog();
  for (const event of numbered(TURN.slice(0, 8))) log.take(event);
  const before = log.view();
  expect(log.view()).toBe(before);
  log.take({ ...output('b', 'x'), sessionId: 's', seq: 9, at: 1 } as ToolpostEvent);
  const after = log.view();
  expect(after.entries.map((entry, index) => entry === before.entries[index])).toEqual([true, true, true, false]);
});

test('keeps the end of a long output', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => output('a', `line ${index}\n`));
  const [call] = callsIn([start('a'), ...lines]);
  const text = call?.output.pieces.map((piece) => piece.text).join('') ?? '';
  expect(text.length).toBeLessThanOrEqual(16_384);
  expect(text.endsWith('line 4998\nline 4999\n')).toBe(true);
});

test('a plugin that breaks or ends by itself is said, and why; that it works again needs no words', () => {
  const tells = (state: string, error?: string): EventBody => ({
    ...{ type: 'plugin-state', plugin: 'frail', state, ...(error !== undefined && { error }) },
  });
  const { entries } = viewOf(
    numbered([tells('crashed', 'exit 7'), tells('active'), tells('error', 'no program'), tells('stopped')]),
  );
  expect(entries.map((entry) => (entry.kind === 'note' ? entry.text : entry.kind))).toEqual([
    'The plugin frail has ended by itself: exit 7',
    'The plugin frail is broken: no program',
  ]);
});
