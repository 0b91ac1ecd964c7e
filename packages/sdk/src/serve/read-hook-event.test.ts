import { expect, test } from 'vitest';
import { readHookEvent } from './read-hook-event.ts';

const session = { id: '', channel: '', chatId: '', tenant: '', user: '' };

test('an event beside calls has what the host says of it', () => {
  const extra = { model: 'demo', maxContext: 1000 };
  const event = readHookEvent({ event: 'UserPromptSubmit', prompt: 'hello', reason: 'new', extra, user: 'ann' });
  const unset = { toolName: '', toolInput: '' };
  const said = { event: 'UserPromptSubmit', prompt: 'hello', reason: 'new', extra };
  expect(event).toEqual({ ...unset, ...said, session: { ...session, user: 'ann' } });
});

test('what is of another kind is left out', () => {
  const event = readHookEvent({ event: 'AgentStop', prompt: 5, reason: null, extra: 'x', toolElapsedMs: '1' });
  expect(event).toEqual({ event: 'AgentStop', toolName: '', toolInput: '', session });
});
