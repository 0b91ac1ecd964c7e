import type { EventBody } from '@toolpost/protocol';
import { expect, test } from 'vitest';
import { maskedEvents } from './masked-events.ts';
import { createRedactor } from './redactor.ts';

const KEY = 'sk-1234567';

function masked(events: readonly EventBody[], secrets = [KEY]): EventBody[] {
  const seen: EventBody[] = [];
  const tell = maskedEvents((event) => void seen.push(event), createRedactor(secrets));
  for (const event of events) tell(event);
  return seen;
}

test('a key is in no event of a turn, whole or in pieces of several streams at once', () => {
  const input = (toolCallId: string, text: string): EventBody => ({
    type: 'tool-input-delta',
    toolCallId,
    name: 't',
    text,
  });
  const seen = masked([
    { type: 'turn-start', text: `use ${KEY}` },
    ...[...KEY].map((text): EventBody => ({ type: 'text-delta', text })),
    ...[...KEY].flatMap((text) => [input('a', text), input('b', text), { type: 'reasoning-delta', text } as const]),
    { type: 'warning', message: KEY },
    { type: 'turn-error', message: `401 ${KEY}` },
    { type: 'turn-end', text: KEY, reason: 'completed' },
  ]);
  const textOf = (type: string) =>
    seen.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
  expect(textOf('text-delta')).toBe('[redacted]');
  expect(textOf('reasoning-delta')).toBe('[redacted]');
  expect(textOf('tool-input-delta')).toBe('[redacted][redacted]');
  expect(JSON.stringify(seen)).not.toContain(KEY);
});

test('what only looked like the start of a key comes before the next event', () => {
  const seen = masked([
    { type: 'text-delta', text: 'a sk-1' },
    { type: 'turn-end', text: 'a sk-1', reason: 'completed' },
  ]);
  expect(seen).toEqual([
    { type: 'text-delta', text: 'a ' },
    { type: 'text-delta', text: 'sk-1' },
    { type: 'turn-end', text: 'a sk-1', reason: 'completed' },
  ]);
});

test('a secret that is learned while the turn runs is masked from then on', () => {
  const seen: EventBody[] = [];
  const redact = createRedactor([]);
  const tell = maskedEvents((event) => void seen.push(event), redact);
  tell({ type: 'warning', message: KEY });
  redact.add([KEY]);
  tell({ type: 'warning', message: KEY });
  expect(seen).toEqual([
    { type: 'warning', message: KEY },
    { type: 'warning', message: '[redacted]' },
  ]);
});

test('a key is in no code that is drawn, and what only looked like the start of one comes before the next event', () => {
  const drawn = (code: string): EventBody => ({
    ...{ type: 'ui-delta', toolCallId: 'a', mode: 'html', libs: [], surface: 'inline' },
    code,
  });
  const whole = `<p>${KEY}</p> sk-1`;
  const end: EventBody = { type: 'turn-end', text: '', reason: 'completed' };
  const seen = masked([...[5, 9, 20].map((length) => drawn(whole.slice(0, length))), drawn(whole), end]);
  const codes = seen.flatMap((event) => (event.type === 'ui-delta' ? [event.code] : []));
  expect(codes).toEqual(['<p>', '<p>', '<p>[redacted]</p> ', '<p>[redacted]</p> ', '<p>[redacted]</p> sk-1']);
});
