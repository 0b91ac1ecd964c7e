import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSessionStore } from './create-session-store.ts';
import type { SessionStore } from './session-store.ts';

let dir: string;
let store: SessionStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolpost-inbox-'));
  store = createSessionStore(dir);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const message = (chatId: string, requestId = '') => ({
  ...{ tenant: '', channel: 'p', chatId, requestId, user: 'p:ann' },
  content: 'hello',
});
const add = (chatId: string, requestId?: string, max = 10) => store.inbox.add(message(chatId, requestId), max);
const reply = { text: 'hi', reason: 'completed' };

test('a message is kept once under its request id, for each chat', () => {
  const first = add('c', 'r');
  expect([first?.isNew, add('c', 'r')?.isNew, add('d', 'r')?.isNew]).toEqual([true, false, true]);
  expect(add('c', 'r')?.message.pk).toBe(first?.message.pk);
  expect([add('c')?.isNew, add('c')?.isNew]).toEqual([true, true]);
});

test('what is full takes nothing new, and still knows what it has', () => {
  add('c', 'r', 1);
  expect([add('c', 'r', 1)?.isNew, add('c', 's', 1), add('d', '', 1)]).toEqual([false, undefined, undefined]);
});

test('a message has one reply, which arrives once', () => {
  const pk = add('c', 'r')?.message.pk ?? 0;
  expect(store.inbox.accept('p', pk)).toBe(false);
  expect([store.inbox.answer(pk, reply), store.inbox.answer(pk, { ...reply, text: 'again' })]).toEqual([true, false]);
  expect(store.inbox.list('p', 'replied').map((one) => one.pk)).toEqual([pk]);
  expect([store.inbox.accept('other', pk), store.inbox.accept('p', pk), store.inbox.accept('p', pk)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(add('c', 'r')?.message).toMatchObject({ state: 'done', reply });
});

test('another process of the home sees what one has kept', () => {
  const pk = add('c', 'r')?.message.pk ?? 0;
  store.inbox.begin(pk, { sessionId: 's', epoch: 'e', afterSeq: 4 });
  const other = createSessionStore(dir);
  const turn = { sessionId: 's', epoch: 'e', afterSeq: 4 };
  expect(other.inbox.get(pk)).toMatchObject({ content: 'hello', state: 'waiting', attempts: 1, turn });
  other.inbox.takeBack(pk);
  expect(store.inbox.get(pk)?.attempts).toBe(0);
  other.close();
});

test('a channel is served by one store at a time, and free again when it lets go', () => {
  const other = createSessionStore(dir);
  expect([store.inbox.claimChannel('p'), store.inbox.claimChannel('p'), other.inbox.claimChannel('p')]).toEqual([
    true,
    true,
    false,
  ]);
  other.inbox.releaseChannel('p');
  expect(other.inbox.claimChannel('p')).toBe(false);
  store.inbox.releaseChannel('p');
  expect(other.inbox.claimChannel('p')).toBe(true);
  other.close();
});

test('what was done long ago is forgotten, what waits never', () => {
  const [done = 0, waiting = 0] = ['r', 's'].map((id) => add('c', id)?.message.pk);
  store.inbox.answer(done, reply);
  store.inbox.accept('p', done);
  store.inbox.prune(Date.now() + 1);
  expect([store.inbox.get(done), store.inbox.get(waiting)?.state]).toEqual([undefined, 'waiting']);
});

test('the messages of a session go with it', () => {
  const session = { id: 's', tenant: '', channel: 'p', chatId: 'c', user: 'p:ann', roots: [] };
  store.create(session);
  const pk = add('c')?.message.pk ?? 0;
  store.inbox.begin(pk, { sessionId: 's', epoch: 'e', afterSeq: 0 });
  store.delete('s');
  expect(store.inbox.get(pk)).toBeUndefined();
});
