import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionStore } from './create-session-store.ts';
import { createStoreHome, event, newSession, says } from './fixtures/open-store.ts';
import type { SessionStore } from './session-store.ts';

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

const append = (sessionId: string, ...entries: ReturnType<typeof says>[]) => store.append([{ sessionId, entries }]);
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const failure = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });
const reasonOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a session store', () => {
  it('keeps a session with its log, history and usage for the next host', () => {
    const session = newSession({ tenant: 'acme', channel: 'web', chatId: 'c', user: 'ann', roots: ['/a', '/b'] });
    store.create(session, { model: 'demo' });
    append(
      session.id,
      event({ type: 'turn-start', text: 'hello\n  there' }),
      { type: 'message', message: user('hello') },
      event({ type: 'usage', inputTokens: 1, outputTokens: 2, totalTokens: 3 }),
      event({ type: 'usage', inputTokens: 2, outputTokens: 4, totalTokens: 6 }),
      event({ type: 'turn-end', text: 'hi', reason: 'completed' }),
      event({ type: 'turn-start', text: 'again' }),
      event({ type: 'usage', inputTokens: 10, outputTokens: 10, totalTokens: 20 }),
      event({ type: 'turn-error', message: 'no' }, 9),
    );
    store.close();
    store = createSessionStore(homeDir);
    const kept = store.get(session.id);
    expect(kept).toMatchObject({ session, title: 'hello there', model: 'demo', lastSeq: 7, openTurn: undefined });
    expect(store.getByKey(session)).toEqual(kept);
    expect(store.usage(session.id)).toEqual({ inputTokens: 12, outputTokens: 14, totalTokens: 26 });
    expect(store.history(session.id)).toEqual([user('hello')]);
    expect(store.events(session.id, { afterSeq: 5 })).toEqual([
      { type: 'usage', inputTokens: 10, outputTokens: 10, totalTokens: 20, sessionId: session.id, seq: 6, at: 5 },
      { type: 'turn-error', message: 'no', sessionId: session.id, seq: 7, at: 9 },
    ]);
  });

  it('returns from append exactly what it gives later, whatever characters are in it', () => {
    const session = newSession();
    store.create(session);
    const [result] = append(session.id, says('a\u0000"\\\n😀'), says('\u2028'));
    expect(result && 'events' in result && result.events).toEqual(store.events(session.id));
  });

  it('has one session for a key, each tenant and channel its own', () => {
    store.create(newSession({ chatId: 'c' }));
    store.create(newSession({ chatId: 'c', tenant: 'acme' }));
    store.create(newSession({ chatId: 'c', channel: 'web' }));
    expect(reasonOf(() => store.create(newSession({ chatId: 'c' })))).toEqual(
      failure('SESSION_STORE_FAILED', 'chat cli:c is there already'),
    );
    expect(store.list({ tenant: 'acme' })).toHaveLength(1);
    expect(store.list({ channel: 'cli' })).toHaveLength(2);
  });

  it('deletes a session with everything in it, also from the file', () => {
    const session = newSession();
    store.create(session);
    append(session.id, says('a-very-private-word'), { type: 'message', message: user('a-very-private-word') });
    expect([store.delete(session.id), store.delete(session.id)]).toEqual([true, false]);
    expect(store.get(session.id)).toBeUndefined();
    expect(reasonOf(() => store.events(session.id))).toEqual(failure('SESSION_NOT_FOUND', session.id));
    store.close();
    expect(readFileSync(join(homeDir, 'sessions.db'), 'latin1')).not.toContain('a-very-private-word');
  });

  it('forks a session into one that goes on by itself', async () => {
    const session = newSession({ tenant: 'acme', channel: 'web', chatId: 'c', user: 'ann' });
    const copy = newSession({ tenant: 'acme', channel: 'web', user: 'ann' });
    store.create(session);
    append(session.id, event({ type: 'turn-start', text: 'hello' }), { type: 'message', message: user('hello') });
    const forked = await store.fork(session.id, copy.id);
    expect(forked).toMatchObject({ session: copy, title: 'hello', lastSeq: 1 });
    expect(forked.epoch).not.toBe(store.get(session.id)?.epoch);
    append(copy.id, says('more'));
    expect(store.events(copy.id).map(({ sessionId, seq }) => [sessionId, seq])).toEqual([
      [copy.id, 1],
      [copy.id, 2],
    ]);
    expect(store.events(session.id)).toHaveLength(1);
    expect(store.history(copy.id)).toEqual([user('hello')]);
  });

  it('refuses the part of a session that is gone, and keeps that of the others', () => {
    const session = newSession();
    store.create(session);
    const results = store.append([
      { sessionId: 'gone', entries: [says('lost')] },
      { sessionId: session.id, entries: [says('kept')] },
    ]);
    expect(results).toEqual([
      { error: failure('SESSION_NOT_FOUND', 'gone') },
      { events: [expect.objectContaining({ text: 'kept', seq: 1 })] },
    ]);
  });

  it('does not give a session that was refused in the last moment, as by a full disk', () => {
    const other = new Database(join(homeDir, 'sessions.db'));
    other.exec(`CREATE TABLE late (pk INTEGER REFERENCES sessions (pk) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER refuse AFTER INSERT ON sessions BEGIN INSERT INTO late VALUES (-1); END;`);
    other.close();
    expect(reasonOf(() => store.create(newSession()))).toEqual(failure('SESSION_STORE_FAILED', 'FOREIGN KEY'));
    expect(store.list()).toEqual([]);
  });

  it('knows when a session was changed, also where the clock was set back', () => {
    const session = newSession();
    const ahead = store.create(session).updatedAt + 3_600_000;
    const other = new Database(join(homeDir, 'sessions.db'));
    other.prepare('UPDATE sessions SET updated_at = ?').run(ahead);
    other.close();
    append(session.id, says('now'));
    expect(store.get(session.id)?.updatedAt).toBeLessThan(ahead);
  });

  it('lists the newest first, page by page, and as fast as without its long logs', () => {
    const ids = Array.from({ length: 30 }, () => randomUUID());
    for (const id of ids) store.create(newSession({ id }));
    const entries = Array.from({ length: 9_999 }, (_, index) => says(`delta ${index} `.repeat(10)));
    append(ids[0] ?? '', event({ type: 'turn-start', text: 'go' }), ...entries);
    const startedMs = performance.now();
    const all = store.list();
    expect(performance.now() - startedMs).toBeLessThan(100);
    expect(all[0]).toMatchObject({ session: { id: ids[0] }, lastSeq: 10_000 });
    expect(all.map(({ updatedAt }) => updatedAt)).toEqual(
      all.map(({ updatedAt }) => updatedAt).toSorted((a, b) => b - a),
    );
    expect(store.list({ limit: 3 })).toEqual(all.slice(0, 3));
  });

  it('reads a long log in pages that are bounded in size', () => {
    const session = newSession();
    store.create(session);
    append(session.id, ...Array.from({ length: 50 }, () => says('x'.repeat(100_000))));
    const sizes: number[] = [];
    for (let afterSeq = 0; ; ) {
      const page = store.events(session.id, { afterSeq });
      if (page.length === 0) break;
      afterSeq = page.at(-1)?.seq ?? 0;
      sizes.push(page.length);
    }
    expect(sizes).toEqual([11, 11, 11, 11, 6]);
  });

  it('counts a day for all hosts of a home, never back', () => {
    const other = createSessionStore(homeDir);
    expect([store.countDaily('k', 7, 2), other.countDaily('k', 7, 2), store.countDaily('k', 7, 2)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([other.countDaily('k', 6, 2), other.countDaily('k', 8, 2)]).toEqual([false, true]);
    other.close();
  });
});

describe('the turn of a session', () => {
  it('is one at a time, also between hosts, and free again when it ended or its host closed', () => {
    const session = newSession();
    store.create(session);
    const other = createSessionStore(homeDir);
    expect([store.beginTurn(session.id), store.beginTurn(session.id), other.beginTurn(session.id)]).toEqual([
      'begun',
      'busy',
      'busy',
    ]);
    expect(other.get(session.id)?.openTurn).toEqual({ startSeq: 0, isRunning: true, pidElsewhere: process.pid });
    expect(store.get(session.id)?.openTurn).toEqual({ startSeq: 0, isRunning: true });
    store.endTurn(session.id);
    expect(other.beginTurn(session.id)).toBe('begun');
    other.close();
    expect(store.beginTurn(session.id)).toBe('begun');
  });

  it('that was left open is interrupted for whoever takes it', () => {
    const session = newSession();
    store.create(session);
    store.beginTurn(session.id);
    append(session.id, event({ type: 'turn-start', text: 'go' }));
    store.endTurn(session.id);
    expect(store.get(session.id)?.openTurn).toEqual({ startSeq: 1, isRunning: false });
    expect(store.beginTurn(session.id)).toBe('interrupted');
  });
});

describe('the database file', () => {
  const path = () => join(homeDir, 'sessions.db');

  it('and what lies beside it are for its owner alone', () => {
    store.create(newSession());
    const files = readdirSync(homeDir);
    expect(files).toContain('sessions.db-wal');
    expect(files.map((name) => statSync(join(homeDir, name)).mode & 0o777)).toEqual(files.map(() => 0o600));
  });

  it.each([
    ['damaged', () => writeFileSync(path(), 'not a database '.repeat(500)), 'move it away'],
    ['a folder', () => mkdirSync(path()), 'cannot be opened'],
    [
      'of a newer Toolpost',
      () => {
        const database = new Database(path());
        database.exec('PRAGMA application_id = 1416589164; PRAGMA user_version = 99; CREATE TABLE future (x)');
        database.close();
      },
      'made by a newer Toolpost',
    ],
    [
      'of another program',
      () => {
        const database = new Database(path());
        database.exec('CREATE TABLE theirs (x)');
        database.close();
      },
      'of another program',
    ],
  ])('that is %s is left as it is, and named with the remedy', (_what, make, remedy) => {
    store.close();
    rmSync(path());
    make();
    const before = statSync(path()).isFile() ? readFileSync(path()) : undefined;
    const failed = reasonOf(() => createSessionStore(homeDir));
    expect(failed).toEqual(failure('SESSION_STORE_FAILED', path()));
    expect(failed).toEqual(failure('SESSION_STORE_FAILED', remedy));
    if (before) expect(readFileSync(path())).toEqual(before);
  });

  it('numbers without a gap when processes append to one session at once, the first making it', async () => {
    const fresh = createStoreHome();
    const id = randomUUID();
    const program = fileURLToPath(new URL('./fixtures/append-many.ts', import.meta.url));
    const children = ['a', 'b'].map((word) =>
      spawn(process.execPath, [program, fresh, id, '60', word], { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    const ends = await Promise.all(children.map((child) => once(child, 'close')));
    expect(ends.map(([status]) => status)).toEqual([0, 0]);
    const shared = createSessionStore(fresh);
    const log = shared.events(id);
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1));
    for (const word of ['a', 'b']) {
      const own = log.flatMap((one) => (one.type === 'text-delta' && one.text.startsWith(word) ? [one.text] : []));
      expect(own).toEqual(Array.from({ length: 60 }, (_, index) => `${word}${index}`));
    }
    shared.close();
    rmSync(fresh, { recursive: true });
  });
});
