import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionStore } from './create-session-store.ts';
import { createStoreHome, newSession, says } from './fixtures/open-store.ts';
import { readLog } from './read-log.ts';
import type { SessionStore } from './session-store.ts';

const LENGTH = 7000;

let homeDir: string;
let store: SessionStore;
beforeEach(() => {
  homeDir = createStoreHome();
  store = createSessionStore(homeDir);
});
afterEach(() => {
  store.close();
  rmSync(homeDir, { recursive: true, force: true });
});

function longSession() {
  const session = newSession();
  store.create(session);
  const entries = Array.from({ length: LENGTH }, (_, index) => says(`word ${index} `));
  store.append([{ sessionId: session.id, entries }]);
  return session;
}

const textsOf = (id: string) =>
  [...readLog((page) => store.events(id, page))].map((event) => (event.type === 'text-delta' ? event.text : ''));

/** As the file has it. */
function count(table: string): number {
  const database = new Database(join(homeDir, 'sessions.db'), { readonly: true });
  try {
    return Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  } finally {
    database.close();
  }
}

/** How often everybody else was served until the promise was settled. */
async function turnsDuring(promise: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  promise.then(end, end);
  let turns = 0;
  for (; !isOver; turns++) await nextTurn();
  return turns;
}

describe('a copy of a long log', () => {
  it('is made in pieces, and is there when it is whole, as the log was when it was asked for', async () => {
    const session = longSession();
    const copy = newSession();
    const copying = store.fork(session.id, copy.id);
    store.append([{ sessionId: session.id, entries: [says('later')] }]);
    expect([store.get(copy.id), store.list().length]).toEqual([undefined, 1]);
    expect(await turnsDuring(copying)).toBeGreaterThan(2);
    expect((await copying).session.id).toBe(copy.id);
    expect(textsOf(copy.id)).toEqual(textsOf(session.id).slice(0, LENGTH));
  });

  it('that is deleted meanwhile is none, and leaves nothing behind', async () => {
    const session = longSession();
    const copying = store.fork(session.id, newSession().id);
    store.delete(session.id);
    await expect(copying).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
    store.close();
    expect([count('sessions'), count('events')]).toEqual([0, 0]);
  });
});

describe('a long session that is deleted', () => {
  it('is gone at once for everybody, its chat is free, and what is left of it goes in pieces', async () => {
    const session = longSession();
    const other = createSessionStore(homeDir);
    expect([store.delete(session.id), store.delete(session.id)]).toEqual([true, false]);
    expect([store, other].map((one) => [one.get(session.id), one.getByKey(session), one.list()])).toEqual([
      [undefined, undefined, []],
      [undefined, undefined, []],
    ]);
    expect(store.append([{ sessionId: session.id, entries: [says('late')] }])).toMatchObject([
      { error: { code: 'SESSION_NOT_FOUND' } },
    ]);
    store.create(session);
    let pieces = 0;
    for (let left = count('events'); left > 0; left = count('events')) {
      pieces += 1;
      await nextTurn();
    }
    expect(pieces).toBeGreaterThan(2);
    expect([store.get(session.id)?.lastSeq, count('sessions')]).toEqual([0, 1]);
    other.close();
  });

  it('is gone from the file when its process closes', () => {
    const session = longSession();
    store.delete(session.id);
    store.close();
    expect([count('sessions'), count('events')]).toEqual([0, 0]);
  });

  it('is removed by the next process when its own was killed, and a copy that it was making too', () => {
    store.close();
    const program = `
      const { createSessionStore } = await import(process.argv[1]);
      const store = createSessionStore(process.argv[2]);
      const [one, two] = ['one', 'two'].map((id) => ({ id, tenant: '', channel: 'cli', chatId: id, user: '', roots: [] }));
      const entries = Array.from({ length: ${LENGTH} }, () => ({ type: 'event', body: { type: 'text-delta', text: 'x' }, at: 1 }));
      for (const session of [one, two]) {
        store.create(session);
        store.append([{ sessionId: session.id, entries }]);
      }
      store.fork('one', 'copy');
      store.delete('two');
      process.kill(process.pid, 'SIGKILL');`;
    const file = new URL('./create-session-store.ts', import.meta.url).href;
    const words = ['--input-type=module', '--eval', program, file, homeDir];
    expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    expect(count('sessions')).toBe(3);
    store = createSessionStore(homeDir);
    expect(store.list().map(({ session }) => session.id)).toEqual(['one']);
    store.close();
    expect([count('sessions'), count('events')]).toEqual([1, LENGTH]);
  });

  it('leaves alone what another process that lives is copying', async () => {
    const session = longSession();
    const copy = newSession();
    const copying = store.fork(session.id, copy.id);
    createSessionStore(homeDir).close();
    expect((await copying).lastSeq).toBe(LENGTH);
  });
});
