import type { EventBody } from '@toolpost/protocol';
import { expect, it } from 'vitest';
import type { CallEntry, Entry } from '../src/session/entries.ts';
import { createSessionLog } from '../src/session/session-log.ts';

const DELTA = { type: 'ui-delta' as const, toolCallId: 'c', mode: 'genui', libs: [], surface: 'inline' };
const ACTION = {
  type: 'ui-action',
  actionId: 'a',
  toolCallId: 'c',
  plugin: 'p',
  action: 'order',
  data: { count: 1 },
} as const;

function entriesOf(...bodies: readonly EventBody[]): readonly Entry[] {
  const log = createSessionLog();
  for (const [index, body] of bodies.entries()) log.take({ ...body, sessionId: 's', seq: index + 1, at: 1 });
  return log.view().entries;
}

function callOf(entries: readonly Entry[]): CallEntry | undefined {
  return entries.find((entry) => entry.kind === 'call');
}

it('keeps of code that is written what came last, which is the whole of it', () => {
  const entries = entriesOf({ ...DELTA, code: 'on' }, { ...DELTA, code: 'one' });
  expect(callOf(entries)?.drawn?.code).toBe('one');
});

it('puts the interface that an action has made in the place of the former', () => {
  const entries = entriesOf(
    { ...DELTA, code: 'one' },
    { ...DELTA, type: 'ui-update', mode: 'html', surface: 'panel', code: 'two' },
  );
  expect(callOf(entries)).toMatchObject({ updatedCode: 'two', ui: { mode: 'html', surface: 'panel' } });
  expect(entries).toHaveLength(1);
});

it('shows an action once, and says when it was sent on, and who said the words of its turn', () => {
  const uiAction = { actionId: 'a', toolCallId: 'c', plugin: 'p', action: 'order' };
  const entries = entriesOf(ACTION, { ...ACTION, isNote: true }, ACTION, {
    type: 'turn-start',
    text: 'order',
    uiAction,
  });
  expect(entries).toMatchObject([
    { kind: 'ui-action', action: 'order', data: { count: 1 }, isNote: false, isSent: true },
    { kind: 'user', saidBy: 'p' },
  ]);
});

it('shows no entry for what is about calls that are not there', () => {
  expect(entriesOf({ ...DELTA, type: 'ui-update', code: 'x' })).toEqual([]);
});
